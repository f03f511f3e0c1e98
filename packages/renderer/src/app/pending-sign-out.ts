import { ApiError, logout, type ApiClient } from '@parley/client';
import { localRecord } from '../browser/local-record.ts';

const pending = () =>
  localRecord<boolean>('parley.sign-out-pending', false, (value) =>
    value === true ? true : undefined,
  );

/** Records that a user signed out while offline, so that the session is ended on the server later. */
export function savePendingSignOut(): void {
  pending().write(true);
}

/**
 * Ends the session on the server if the user signed out while offline. Resolves to false if the request
 * failed and has to be retried.
 */
export async function completePendingSignOut(api: ApiClient): Promise<boolean> {
  if (!pending().read()) return true;
  try {
    await logout(api);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') return false;
  }
  pending().remove();
  return true;
}

/** Milliseconds between attempts. */
const RETRY_MS = 15_000;

/** Retries a pending sign-out until it succeeds. */
export function retryPendingSignOut(api: ApiClient): void {
  const finish = async (): Promise<void> => {
    if (!(await completePendingSignOut(api))) setTimeout(() => void finish(), RETRY_MS);
  };
  void finish();
}
