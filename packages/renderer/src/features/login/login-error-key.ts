/** The password is correct, but the email address is not verified. */
export class UnverifiedError extends Error {}

/** Returns the key of the login's text for an error. */
export function loginErrorKey(error: unknown): 'unverified' | 'wrong' | 'failed' {
  if (error instanceof UnverifiedError) return 'unverified';
  return error instanceof ApiError && error.status === 404 ? 'wrong' : 'failed';
}
import { ApiError } from '@parley/client';
