/** Returns the text key for an error, for both reset screens. */
export function resetErrorKey(error: unknown): 'noUser' | 'keyWrong' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 404) return 'noUser';
  return error.status === 401 ? 'keyWrong' : 'failed';
}
import { ApiError } from '@parley/client';
