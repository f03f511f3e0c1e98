import type { ClientStores } from '../stores/client-stores.ts';
import type { OpenedUserStorage } from './open-storage.ts';

/** How often contact with the server is recorded. Milliseconds. */
const RECORD_INTERVAL_MS = 60 * 60 * 1_000;

/** Records the time of the last server contact in the storage while the client is online. */
export function trackServerContact(
  connection: ClientStores['connection'],
  opened: OpenedUserStorage,
): { stop: () => void } {
  const note = async (): Promise<void> => {
    await (await opened)?.recordContact();
  };
  const noteIfOnline = (): void => {
    if (connection.getState().status === 'online') note().catch(() => undefined);
  };
  const timer = setInterval(noteIfOnline, RECORD_INTERVAL_MS);
  const unsubscribe = connection.subscribe(({ status }, before) => {
    if (status !== before.status) noteIfOnline();
  });
  return {
    stop: () => {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
