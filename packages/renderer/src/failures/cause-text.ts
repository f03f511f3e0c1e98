import type { ApiError, ApiErrorCode } from '@parley/client';
import type { i18n, TFunction } from 'i18next';
import { areCookiesKept } from '../browser/are-cookies-kept.ts';
import { loadCauseTexts } from '../i18n/i18n.ts';
import { toWait } from './temporary-error-text.ts';

/** What the explanation of a failure depends on. */
export interface FailureContext {
  /** Its language is the one of the explanation. */
  readonly i18n: i18n;
  /** The server's origin as the user knows it. */
  readonly origin: string;
}

/** Returns undefined if the error has another text. */
type CauseText = (t: TFunction, error: ApiError, origin: string) => string | undefined;

const CAUSES: { readonly [Code in ApiErrorCode]?: CauseText } = {
  foreign_origin: (t, { publicUrl }, origin) =>
    publicUrl === undefined
      ? t('cause.unknownAddress', { url: origin })
      : t('cause.otherAddress', { url: publicUrl }),
  proxy_too_large: (t) => t('cause.proxyTooLarge'),
  rate_limited: (t, { isNetworkLimited, retryAfter }) =>
    isNetworkLimited ? networkLimitText(t, retryAfter) : undefined,
  session_lost: (t) => (areCookiesKept() ? t('cause.sessionLost') : t('cause.cookiesBlocked')),
  storage_full: (t) => t('cause.storageFull'),
  unavailable: (t) => t('cause.unavailable'),
};

/**
 * Loads the text for the cause of a failed call. Resolves to undefined if the cause is not known, and rejects if the
 * texts cannot be loaded.
 */
export async function loadCauseText(
  { i18n, origin }: FailureContext,
  error: ApiError,
): Promise<string | undefined> {
  const text = error.isIntercepted ? (t: TFunction) => t('cause.intercepted') : CAUSES[error.code];
  if (!text) return undefined;
  await loadCauseTexts(i18n);
  return text(i18n.t, error, origin);
}

/** Returns the text for a limit that others in the network may have used up. */
function networkLimitText(t: TFunction, seconds: number | undefined): string {
  if (seconds === undefined) return t('cause.networkLimit');
  const { unit, count } = toWait(seconds);
  return unit === 'seconds'
    ? t('cause.networkLimitSeconds', { count })
    : t('cause.networkLimitMinutes', { count });
}
