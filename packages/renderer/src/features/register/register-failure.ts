import { ApiError } from '../../api/client.ts';

/** Which of the registration's texts says why it failed. */
export function registerFailure(error: unknown): 'taken' | 'failed' {
  return error instanceof ApiError && error.status === 409 ? 'taken' : 'failed';
}
