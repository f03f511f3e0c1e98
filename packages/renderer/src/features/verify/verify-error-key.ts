const REFUSAL_CODES: ReadonlySet<unknown> = new Set(['foreign_origin', 'rate_limited']);

/** Returns the key of the verification's text for an error. */
export function verifyErrorKey(error: unknown): 'already' | 'mismatch' | 'refused' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 400) return 'already';
  if (error.status === 409) return 'mismatch';
  return REFUSAL_CODES.has(error.code) ? 'refused' : 'failed';
}
import { ApiError } from '@parley/client';
