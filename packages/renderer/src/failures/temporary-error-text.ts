import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';

/** From this number of seconds on, waits are shown in minutes. */
const MINUTES_THRESHOLD = 90;

/**
 * Returns the text for errors that are not specific to a screen: no connection or too many requests. Undefined
 * for all others.
 */
export function temporaryErrorText(t: TFunction, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'offline' || error.isIntercepted) return t('error.offline');
  if (error.code !== 'rate_limited') return undefined;
  const seconds = error.retryAfter;
  if (seconds === undefined) return t('error.rateLimited');
  if (seconds < MINUTES_THRESHOLD) return t('error.rateLimitedSeconds', { count: seconds });
  return t('error.rateLimitedMinutes', { count: Math.ceil(seconds / 60) });
}
