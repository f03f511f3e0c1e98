import type { SessionEndReason } from '@parley/contract';
import type { Platform } from '../platform.ts';
import type { OpenedUserStorage } from '../storage/open-storage.ts';
import type { OfflineCopy } from './offline-copy.ts';

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
