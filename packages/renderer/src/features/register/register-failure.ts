import { ApiError } from '../../api/client.ts';

/** Which of the registration's texts says why it failed. */
export function registerFailure(error: unknown): 'taken' | 'refused' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 409) return 'taken';
  const isRefused = error.code === 'invitation_invalid' || error.code === 'domain_not_allowed';
  return isRefused ? 'refused' : 'failed';
}
