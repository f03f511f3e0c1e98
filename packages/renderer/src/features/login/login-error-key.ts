/** The password was right, but the email is not verified. */
export class UnverifiedError extends Error {}

/** Which of the login's texts says why it failed. */
export function loginErrorKey(error: unknown): 'unverified' | 'wrong' | 'failed' {
  if (error instanceof UnverifiedError) return 'unverified';
  return error instanceof ApiError && error.status === 404 ? 'wrong' : 'failed';
}
import { ApiError } from '@parley/client';
