import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { LIMITS, normalizeKey } from '@parley/contract';

type Purpose = 'verify' | 'reset';

/** Lifetime of keys in milliseconds. */
export const KEY_LIFETIME: Record<Purpose, number> = {
  verify: 24 * 60 * 60 * 1000,
  reset: 60 * 60 * 1000,
};

/** Maximum number of attempts per key. */
export const KEY_ATTEMPTS = 5;

// Capital letters and digits without the ambiguous 0, O, 1 and I.
const RESET_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Creates a random key: 6 digits for verification, 8 letters and digits for a password reset. */
export function createKey(purpose: Purpose): string {
  if (purpose === 'verify') {
    return String(randomInt(10 ** LIMITS.verifyKeyLength)).padStart(LIMITS.verifyKeyLength, '0');
  }
  return Array.from(
    { length: LIMITS.resetKeyLength },
    () => RESET_ALPHABET[randomInt(RESET_ALPHABET.length)],
  ).join('');
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
