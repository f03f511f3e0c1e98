import { checkApiVersion, type PublicConfig } from '@parley/contract';
import type { ApiClient } from '../api/client.ts';
import type { ClientStores } from '../client-stores.ts';
import { hasReconnected } from '../stores/connection.ts';

/**
 * Calls `onMismatch` when the server is back after a disconnection with a version that this client
 * does not support. Returns a function that stops watching.
 */
export function watchServerVersion(
  api: ApiClient,
  connection: ClientStores['connection'],
  onMismatch: (config: PublicConfig) => void,
): () => void {
  const check = async (): Promise<void> => {
    const config = await api.call('getConfig');
    if (checkApiVersion(config) !== 'compatible') onMismatch(config);
  };
  return connection.subscribe((now, before) => {
    if (!hasReconnected(now, before)) return;
    // The next reconnect retries the check.
    check().catch(() => undefined);
  });
}
