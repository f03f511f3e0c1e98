const REJECTION_CODES: ReadonlySet<unknown> = new Set([
  'invitation_invalid',
  'domain_not_allowed',
  'email_not_supported',
  'username_not_allowed',
  'registration_closed',
  'foreign_origin',
  'rate_limited',
]);

/** Returns the key of the registration's text for an error. */
export function registerErrorKey(error: unknown): 'taken' | 'refused' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 409) return 'taken';
  return REJECTION_CODES.has(error.code) ? 'refused' : 'failed';
}
import { ApiError } from '@parley/client';
