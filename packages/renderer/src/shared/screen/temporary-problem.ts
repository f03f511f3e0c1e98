import type { TFunction } from 'i18next';
import { ApiError } from '../../api/client.ts';

/**
 * Words for a failure that the screen's own texts cannot explain: no connection, or too many tries.
 * Undefined for every other.
 */
export function temporaryProblem(t: TFunction, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'offline') return t('error.offline');
  if (error.code !== 'rate_limited') return undefined;
  return error.retryAfter === undefined
    ? t('error.rateLimited')
    : t('error.rateLimitedSeconds', { count: error.retryAfter });
}
