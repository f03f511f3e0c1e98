import type { ClientStores } from '../client-stores.ts';
import type { OpenedUserStorage } from '../storage/open-storage.ts';
import { isServerReachable } from '../stores/connection.ts';

/** How often contact with the server is recorded. Milliseconds. */
const RECORD_INTERVAL_MS = 60 * 60 * 1_000;

/** Records the time of the last server contact in the storage while the client is online. */
export function trackServerContact(
  connection: ClientStores['connection'],
  opened: OpenedUserStorage,
): { stop: () => void } {
  const record = async (): Promise<void> => {
    await (await opened)?.recordContact();
  };
  const recordIfOnline = (): void => {
    if (isServerReachable(connection.getState())) record().catch(() => undefined);
  };
  const timer = setInterval(recordIfOnline, RECORD_INTERVAL_MS);
  const unsubscribe = connection.subscribe(({ status }, before) => {
    if (status !== before.status) recordIfOnline();
  });
  return {
    stop: () => {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
