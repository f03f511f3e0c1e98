import { AppError } from './app-error.ts';

/** Seconds after which a client may try again that was rejected because too many others wait. */
const RETRY_AFTER = 5;

/** Creates the error for a client for whom there is no place now, but will be soon. */
export function createOverloadError(cause?: unknown): AppError {
  return new AppError('unavailable', { retryAfter: RETRY_AFTER, cause });
}
