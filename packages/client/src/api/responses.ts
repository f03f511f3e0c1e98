/** Returns whether the value of a field has the expected type. */
export type FieldCheck = (value: unknown) => boolean;

type FieldChecks = Readonly<Record<string, FieldCheck>>;

/** Returns whether a value is a string. */
export const isText: FieldCheck = (value) => typeof value === 'string';

/** Returns whether a value is a number. */
export const isNumber: FieldCheck = (value) => typeof value === 'number';

/** Returns whether a value is a boolean. */
export const isBoolean: FieldCheck = (value) => typeof value === 'boolean';

/** Creates a check that also accepts a missing value. */
export const optional =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined || check(value);

/** Returns whether a value is a boolean or missing. */
export const isOptionalBoolean = optional(isBoolean);

/** Creates a check for an array of such values. */
export const listOf =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Creates a check for an object with these fields. */
export const objectWith =
  (checks: FieldChecks): FieldCheck =>
  (value) =>
    hasFields(value, checks);

/** Returns whether a value is an object in which these fields pass their checks. */
export function hasFields(value: unknown, checks: FieldChecks): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(checks).every(([name, isValid]) => isValid(fields.get(name)));
}
