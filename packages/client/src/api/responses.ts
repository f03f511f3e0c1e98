/** Returns whether the value of a field has the expected type. */
export type FieldCheck = (value: unknown) => boolean;

/** Returns whether a value is a string. */
export const isText: FieldCheck = (value) => typeof value === 'string';

/** Returns whether a value is a number. */
export const isNumber: FieldCheck = (value) => typeof value === 'number';

/** Returns whether a value is a boolean. */
export const isBoolean: FieldCheck = (value) => typeof value === 'boolean';

/** Returns whether a value is a boolean or missing. */
export const isOptionalBoolean: FieldCheck = (value) => value === undefined || isBoolean(value);

/** Returns whether a value is an array of strings. */
export const isTextList: FieldCheck = (value) => Array.isArray(value) && value.every(isText);

/** Creates a check for an array of objects with these fields. */
export function createListCheck(checks: Readonly<Record<string, FieldCheck>>): FieldCheck {
  return (value) => Array.isArray(value) && value.every((item) => hasFields(item, checks));
}

/** Returns whether a value is an object in which these fields pass their checks. */
export function hasFields(value: unknown, checks: Readonly<Record<string, FieldCheck>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(checks).every(([name, isValid]) => isValid(fields.get(name)));
}
