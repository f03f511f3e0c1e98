import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@parley/contract';
import type { AccountKeysTable } from '../storage/tables/users.ts';

type Purpose = AccountKeysTable['purpose'];

/** How long a key is valid, in milliseconds. */
export const KEY_LIFETIME: Record<Purpose, number> = {
  verify: 24 * 60 * 60 * 1000,
  reset: 60 * 60 * 1000,
};

/** How often a key may be guessed. */
export const KEY_ATTEMPTS = 5;

// Capitals and digits, without 0, O, 1 and I.
const RESET_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A fresh key from the system's random source: 6 digits to verify, 8 letters and digits to reset. */
export function createKey(purpose: Purpose): string {
  if (purpose === 'verify') {
    return String(randomInt(10 ** LIMITS.verifyKeyLength)).padStart(LIMITS.verifyKeyLength, '0');
  }
  return Array.from(
    { length: LIMITS.resetKeyLength },
    () => RESET_ALPHABET[randomInt(RESET_ALPHABET.length)],
  ).join('');
}

/** How a key is stored. Keys are compared without regard to case. */
export function hashKey(purpose: Purpose, userId: string, key: string): string {
  return createHash('sha256')
    .update(`${purpose}:${userId}:${key.toUpperCase()}`)
    .digest('base64url');
}

/** Compares two stored keys in constant time. */
export function isSameKey(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
