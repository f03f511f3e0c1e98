import { createUnreadableError } from './client.ts';

/** Tells whether a value is of the kind that a field has to be. */
export type FieldCheck = (value: unknown) => boolean;

/** Whether a value is text. */
export const isText: FieldCheck = (value) => typeof value === 'string';

/** Whether a value is a number. */
export const isNumber: FieldCheck = (value) => typeof value === 'number';

/** Whether a value is true or false. */
export const isBoolean: FieldCheck = (value) => typeof value === 'boolean';

/** Whether a value is a list of texts. */
export const isTextList: FieldCheck = (value) => Array.isArray(value) && value.every(isText);

/** Whether a value is a list of objects that all have these fields. */
export function isListOf(checks: Readonly<Record<string, FieldCheck>>): FieldCheck {
  return (value) => Array.isArray(value) && value.every((item) => hasFields(item, checks));
}

/** Whether a value is an object in which these fields pass their checks. */
export function hasFields(value: unknown, checks: Readonly<Record<string, FieldCheck>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(checks).every(([name, isValid]) => isValid(fields.get(name)));
}

/**
 * Returns a response that has the fields without which no screen can show it.
 * @throws {ApiError} `unreadable` for any other, and for one with an `errorMessage`.
 */
export function validateResponse<T>(response: T, checks: Readonly<Record<string, FieldCheck>>): T {
  const isError = hasFields(response, { errorMessage: isText });
  if (isError || !hasFields(response, checks))
    throw createUnreadableError('The response has no data');
  return response;
}
