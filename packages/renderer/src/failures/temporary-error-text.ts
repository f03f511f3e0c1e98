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
  if (error.retryAfter === undefined) return t('error.rateLimited');
  const { unit, count } = toWait(error.retryAfter);
  return unit === 'seconds'
    ? t('error.rateLimitedSeconds', { count })
    : t('error.rateLimitedMinutes', { count });
}

/** Returns a wait as texts show it. */
export function toWait(seconds: number): {
  readonly unit: 'seconds' | 'minutes';
  readonly count: number;
} {
  return seconds < MINUTES_THRESHOLD
    ? { unit: 'seconds', count: seconds }
    : { unit: 'minutes', count: Math.ceil(seconds / 60) };
}
