import { ApiError, logout, type ApiClient } from '@parley/client';
import { localRecord } from '../browser/local-record.ts';

const pending = () =>
  localRecord<boolean>('parley.sign-out-pending', false, (value) =>
    value === true ? true : undefined,
  );

/** Keeps that a user signed out without a connection: the server must still end the session. */
export function savePendingSignOut(): void {
  pending().write(true);
}

/**
 * Ends a session that the user has left without a connection, so that nobody comes back into it. Resolves to
 * false where the server cannot be reached yet.
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

/** How often the server is tried, in milliseconds. */
const RETRY_MS = 15_000;

/** Ends such a session as soon as the server can be reached from this page. */
export function retryPendingSignOut(api: ApiClient): void {
  const finish = async (): Promise<void> => {
    if (!(await completePendingSignOut(api))) setTimeout(() => void finish(), RETRY_MS);
  };
  void finish();
}
