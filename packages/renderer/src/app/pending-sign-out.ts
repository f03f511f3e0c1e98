import { ApiError, type ApiClient } from '@parley/client';
import { clearBrowserCache } from '../browser/clear-browser-cache.ts';
import { localRecord } from '../browser/local-record.ts';

const pending = () =>
  localRecord<boolean>('parley.sign-out-pending', false, (value) =>
    value === true ? true : undefined,
  );

/** Records that a user signed out while offline, so that the session is ended on the server later. */
export function savePendingSignOut(): void {
  pending().write(true);
}

/** Forgets a pending sign-out. Call it after a login, which has ended the previous session. */
export function clearPendingSignOut(): void {
  pending().remove();
}

/** Milliseconds between attempts. */
const RETRY_MS = 15_000;

let retryTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Ends the session on the server if the user signed out while offline. Resolves to false if the request
 * failed. It is then retried until it succeeds or the user has signed in again.
 */
export async function completePendingSignOut(api: ApiClient): Promise<boolean> {
  if (!pending().read()) return true;
  try {
    await api.call('logout');
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') {
      retryTimer ??= setTimeout(() => {
        retryTimer = undefined;
        void completePendingSignOut(api);
      }, RETRY_MS);
      return false;
    }
  }
  clearPendingSignOut();
  // Without a connection, it could not be cleared when the user signed out.
  clearBrowserCache(api.origin);
  return true;
}
