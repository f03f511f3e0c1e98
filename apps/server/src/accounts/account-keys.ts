import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { LIMITS, normalizeKey } from '@parley/contract';

/** `change` is to confirm another address, and `restore` to take the account back to the former one. */
type Purpose = 'verify' | 'reset' | 'change' | 'restore';

/** Lifetime of keys in milliseconds. */
export const KEY_LIFETIME: Record<Purpose, number> = {
  verify: 24 * 60 * 60 * 1000,
  reset: 60 * 60 * 1000,
  change: 24 * 60 * 60 * 1000,
  restore: 7 * 24 * 60 * 60 * 1000,
};

const LENGTH: Record<Purpose, number> = {
  verify: LIMITS.verifyKeyLength,
  reset: LIMITS.resetKeyLength,
  change: LIMITS.verifyKeyLength,
  restore: LIMITS.restoreKeyLength,
};

/** Maximum number of attempts per key. A key to restore an address is too long to be guessed. */
export const KEY_ATTEMPTS = 5;

// Capital letters and digits without the ambiguous 0, O, 1 and I.
const LETTERS_AND_DIGITS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Creates a random key: of digits to verify an address, of letters and digits for other purposes. */
export function createKey(purpose: Purpose): string {
  const isNumeric = purpose === 'verify' || purpose === 'change';
  const alphabet = isNumeric ? '0123456789' : LETTERS_AND_DIGITS;
  return Array.from({ length: LENGTH[purpose] }, () => alphabet[randomInt(alphabet.length)]).join(
    '',
  );
}

/** Hashes a key of an account or a registration for storage, in the one form of what users type. */
export function hashKey(purpose: Purpose, ownerId: string, key: string): string {
  return createHash('sha256')
    .update(`${purpose}:${ownerId}:${normalizeKey(key)}`)
    .digest('base64url');
}

/** Compares two key hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
