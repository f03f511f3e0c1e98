import type { ClientStores } from '../stores/client-stores.ts';
import type { OpenedUserStorage } from './open-storage.ts';

/** How often it is noted that the server is there. Milliseconds. */
const NOTE_EVERY_MS = 60 * 60 * 1_000;

/** Notes in the storage when the server was last reached, as long as the live connection stands. */
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
  const timer = setInterval(noteIfOnline, NOTE_EVERY_MS);
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
