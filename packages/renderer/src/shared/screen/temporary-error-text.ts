import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';

/** From here on, a wait is told in minutes. Seconds. */
const LONGEST_IN_SECONDS = 90;

/**
 * Words for a failure that the screen's own texts cannot explain: no connection, or too many tries.
 * Undefined for every other.
 */
export function temporaryErrorText(t: TFunction, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'offline' || error.code === 'unreadable') return t('error.offline');
  if (error.code !== 'rate_limited') return undefined;
  const seconds = error.retryAfter;
  if (seconds === undefined) return t('error.rateLimited');
  if (seconds < LONGEST_IN_SECONDS) return t('error.rateLimitedSeconds', { count: seconds });
  return t('error.rateLimitedMinutes', { count: Math.ceil(seconds / 60) });
}
