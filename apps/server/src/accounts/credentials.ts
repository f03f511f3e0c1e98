import {
  codePoints,
  isEmail,
  isDistinguishableUsername,
  isUsername,
  LIMITS,
  normalizeEmail,
  normalizeUsername,
} from '@parley/contract';
import { AppError } from '../errors/app-error.ts';

// Normalizes and validates user input on the server, whether or not the client did so.

/**
 * Normalizes an email address.
 * @throws {AppError} `invalid_request` if it is not a valid email address.
 */
export function cleanEmail(raw: string): string {
  const email = normalizeEmail(raw);
  if (!isEmail(email)) throw new AppError('invalid_request');
  return email;
}

/**
 * Normalizes a new username. Existing usernames may predate these rules.
 * @throws {AppError} `invalid_request` if it is not a valid username, `username_not_allowed` if it mixes
 * scripts or stacks combining marks.
 */
export function cleanUsername(raw: string): string {
  const username = normalizeUsername(raw);
  if (!isUsername(username)) throw new AppError('invalid_request');
  if (!isDistinguishableUsername(username)) throw new AppError('username_not_allowed');
  return username;
}

/**
 * Trims a password and normalizes it to NFKC (NIST SP 800-63B §3.1.1.2), because keyboards compose
 * characters differently.
 * @throws {AppError} `invalid_request` if it is too short.
 */
export function cleanPassword(raw: string): string {
  const password = raw.normalize('NFKC').trim();
  if (codePoints(password) < LIMITS.passwordMin) throw new AppError('invalid_request');
  return password;
}
