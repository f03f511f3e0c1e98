const REFUSALS: ReadonlySet<unknown> = new Set([
  'invitation_invalid',
  'domain_not_allowed',
  'username_not_allowed',
]);

/** Which of the registration's texts says why it failed. */
export function registerErrorKey(error: unknown): 'taken' | 'refused' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 409) return 'taken';
  return REFUSALS.has(error.code) ? 'refused' : 'failed';
}
import { ApiError } from '@parley/client';
