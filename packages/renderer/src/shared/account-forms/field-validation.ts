import {
  codePoints,
  isBlank,
  isEmail,
  isDistinguishableUsername,
  isReservedUsername,
  isUsername,
  LIMITS,
  normalizeEmail,
  normalizeKey,
  normalizeUsername,
} from '@parley/contract';
import type { TFunction } from 'i18next';

// These functions return the error text for a field's value, or undefined if it is valid.

/** Validates an email address like the server does, which trims and lowercases it. */
export function validateEmail(t: TFunction, value: string): string | undefined {
  const email = normalizeEmail(value);
  if (email === '') return t('field.emailRequired');
  return isEmail(email) ? undefined : t('field.emailInvalid');
}

/** Validates a password. Like on the server, leading and trailing spaces do not count. */
export function validatePassword(t: TFunction, value: string): string | undefined {
  const length = codePoints(value.trim());
  if (length === 0) return t('field.passwordRequired');
  if (length < LIMITS.passwordMin) return t('field.passwordShort', { count: LIMITS.passwordMin });
  if (codePoints(value) > LIMITS.passwordMax) {
    return t('field.passwordLong', { count: LIMITS.passwordMax });
  }
  return undefined;
}

/** Validates a username like the server does, but does not check whether it is available. */
export function validateUsername(t: TFunction, value: string): string | undefined {
  const name = normalizeUsername(value);
  if (isBlank(name)) return t('field.usernameRequired');
  const length = codePoints(name);
  if (length < LIMITS.usernameMin || length > LIMITS.usernameMax) {
    return t('field.usernameLength', { min: LIMITS.usernameMin, max: LIMITS.usernameMax });
  }
  if (isUsername(name)) {
    return isDistinguishableUsername(name) ? undefined : t('field.usernameUnreadable');
  }
  return isReservedUsername(name) ? t('field.usernameReserved') : t('field.usernameCharacters');
}

/** Validates a key that must have `length` characters. */
export function validateKey(t: TFunction, value: string, length: number): string | undefined {
  const key = normalizeKey(value);
  if (key === '') return t('field.keyRequired');
  return key.length === length ? undefined : t('field.keyLength', { length });
}
