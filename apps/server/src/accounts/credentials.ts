import {
  codePoints,
  isEmail,
  isReadableUsername,
  isUsername,
  LIMITS,
  normalizeEmail,
  normalizeUsername,
} from '@parley/contract';
import { AppError } from '../errors/app-error.ts';

// What people type, as it is stored and compared. A client that skips these steps is held to the same.

/** @throws {AppError} `invalid_request` if it cannot be a mail address. */
export function cleanEmail(raw: string): string {
  const email = normalizeEmail(raw);
  if (!isEmail(email)) throw new AppError('invalid_request');
  return email;
}

/**
 * @throws {AppError} `invalid_request` if it cannot be a username, `username_not_allowed` if it mixes
 * scripts or stacks marks. For new names only: those from before these rules stay.
 */
export function cleanUsername(raw: string): string {
  const username = normalizeUsername(raw);
  if (!isUsername(username)) throw new AppError('invalid_request');
  if (!isReadableUsername(username)) throw new AppError('username_not_allowed');
  return username;
}

/**
 * Trimmed, and in one Unicode form (NIST SP 800-63B §3.1.1.2): keyboards differ in how they compose.
 * @throws {AppError} `invalid_request` if what is left is too short.
 */
export function cleanPassword(raw: string): string {
  const password = raw.normalize('NFKC').trim();
  if (codePoints(password) < LIMITS.passwordMin) throw new AppError('invalid_request');
  return password;
}
