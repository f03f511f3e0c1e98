import type { SessionEndReason } from '@parley/contract';
import type { ClientStores } from '../client-stores.ts';
import type { Platform } from '../platform.ts';
import type { OpenedUserStorage } from '../storage/open-storage.ts';
import { isServerReachable } from '../stores/connection.ts';
import type { OfflineCopy } from './offline-copy.ts';

/** How often contact with the server is recorded. Milliseconds. */
const RECORD_INTERVAL_MS = 60 * 60 * 1_000;

/** Records in the storage that the server is reached, until the signal is aborted. */
export function trackServerContact(
  connection: ClientStores['connection'],
  opened: OpenedUserStorage,
  signal: AbortSignal,
): void {
  const record = async (): Promise<void> => {
    if (isServerReachable(connection.getState())) await (await opened)?.recordContact();
  };
  const recordSafely = (): void => void record().catch(() => undefined);
  const timer = setInterval(recordSafely, RECORD_INTERVAL_MS);
  const unsubscribe = connection.subscribe(({ status }, before) => {
    if (status !== before.status) recordSafely();
  });
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    unsubscribe();
  });
}

/** Ends the session once another tab erases the storage because the session has ended. */
export async function watchErasure(
  opened: OpenedUserStorage,
  signal: AbortSignal,
  onSessionEnded: (reason: SessionEndReason) => void,
): Promise<void> {
  (await opened)?.onErased((reason) => {
    if (!signal.aborted) onSessionEnded(reason);
  });
}

/** Writes pending changes of the offline copy, or erases the storage, and closes it. */
export async function closeStorage(
  { logFailure }: Pick<Platform, 'logFailure'>,
  opened: OpenedUserStorage,
  copy: OfflineCopy,
  ended: SessionEndReason | undefined,
): Promise<void> {
  await copy.stop({ isErasing: ended !== undefined && ended !== 'expired' });
  const storage = await opened;
  try {
    if (ended) await storage?.eraseAfterSession(ended);
  } catch (error) {
    logFailure('erasing the storage', error);
  }
  storage?.close();
}
