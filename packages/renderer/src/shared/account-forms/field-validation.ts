import {
  codePoints,
  DELETED_USER,
  isEmail,
  isReadableUsername,
  isUsername,
  LIMITS,
  normalizeEmail,
  normalizeUsername,
  usernameKey,
} from '@parley/contract';
import type { TFunction } from 'i18next';

// What is wrong with a field's value, in words; undefined if nothing is.

/** Accepts what the server accepts after trimming and lower-casing. */
export function validateEmail(t: TFunction, value: string): string | undefined {
  const email = normalizeEmail(value);
  if (email === '') return t('field.emailRequired');
  return isEmail(email) ? undefined : t('field.emailInvalid');
}

/** Spaces at either end don't count, as with the server. */
export function validatePassword(t: TFunction, value: string): string | undefined {
  const length = codePoints(value.trim());
  if (length === 0) return t('field.passwordRequired');
  if (length < LIMITS.passwordMin) return t('field.passwordShort', { count: LIMITS.passwordMin });
  if (codePoints(value) > LIMITS.passwordMax) {
    return t('field.passwordLong', { count: LIMITS.passwordMax });
  }
  return undefined;
}

/** Accepts what the server accepts; whether the name is free only the server knows. */
export function validateUsername(t: TFunction, value: string): string | undefined {
  const name = normalizeUsername(value);
  if (name === '') return t('field.usernameRequired');
  const length = codePoints(name);
  if (length < LIMITS.usernameMin || length > LIMITS.usernameMax) {
    return t('field.usernameLength', { min: LIMITS.usernameMin, max: LIMITS.usernameMax });
  }
  if (isUsername(name)) {
    return isReadableUsername(name) ? undefined : t('field.usernameUnreadable');
  }
  return usernameKey(name) === usernameKey(DELETED_USER)
    ? t('field.usernameReserved')
    : t('field.usernameCharacters');
}

/** `length` is how many characters a key of this kind has. */
export function validateKey(t: TFunction, value: string, length: number): string | undefined {
  const key = value.trim();
  if (key === '') return t('field.keyRequired');
  return key.length === length ? undefined : t('field.keyLength', { length });
}
