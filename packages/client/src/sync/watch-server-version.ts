import { checkApiVersion, type PublicConfig } from '@parley/contract';
import { ApiError, type ApiClient } from '../api/client.ts';
import type { ClientStores } from '../client-stores.ts';
import { hasReconnected } from '../stores/connection.ts';

/** Finds out whether the server was replaced by one that this client does not support. */
export interface ServerVersion {
  /** Asks the server. Resolves to false also if it does not tell. */
  readonly isSupported: () => Promise<boolean>;
  /** Asks the server after a failure that it may have caused by another version. */
  readonly checkAfter: (error: unknown) => void;
}

/**
 * Calls `onMismatch` when the server is back after a disconnection with a version that this client
 * does not support, or when one of the checks finds that.
 */
export function watchServerVersion(
  api: ApiClient,
  connection: ClientStores['connection'],
  onMismatch: (config: PublicConfig) => void,
): ServerVersion {
  let checking: Promise<boolean> | undefined;

  async function check(): Promise<boolean> {
    // The next reconnect or failure retries the check.
    const config = await api.call('getConfig').catch(() => undefined);
    checking = undefined;
    if (!config) return false;
    const isSupported = checkApiVersion(config) === 'compatible';
    if (!isSupported) onMismatch(config);
    return isSupported;
  }

  const isSupported = (): Promise<boolean> => (checking ??= check());

  connection.subscribe((now, before) => {
    if (hasReconnected(now, before)) void isSupported();
  });

  return {
    isSupported,
    checkAfter: (error) => {
      if (!(error instanceof ApiError) || error.code === 'unauthenticated') return;
      if (!error.isTemporary || error.code === 'unreadable') void isSupported();
    },
  };
}
