import { checkApiVersion, type PublicConfig } from '@parley/contract';
import type { ApiClient } from '../api/client.ts';
import type { ClientStores } from '../client-stores.ts';
import { hasReconnected } from '../stores/connection.ts';

/**
 * Calls `onMismatch` when the server is back after a disconnection with a version that this client
 * does not support.
 */
export function watchServerVersion(
  api: ApiClient,
  connection: ClientStores['connection'],
  onMismatch: (config: PublicConfig) => void,
): void {
  connection.subscribe(async (now, before) => {
    if (!hasReconnected(now, before)) return;
    // The next reconnect retries the check.
    const config = await api.call('getConfig').catch(() => undefined);
    if (config && checkApiVersion(config) !== 'compatible') onMismatch(config);
  });
}
