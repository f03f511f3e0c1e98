/** Returns the key of the verification's text for an error. */
export function verifyErrorKey(error: unknown): 'already' | 'mismatch' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 400) return 'already';
  return error.status === 409 ? 'mismatch' : 'failed';
}
import { ApiError } from '@parley/client';
