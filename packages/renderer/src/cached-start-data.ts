import type { StoredStartData } from '@parley/client';
import { checkApiVersion } from '@parley/contract';
import { readSignedInUsername, hasEverSignedIn } from './app/signed-in-username.ts';
import type { Host } from './host/host.ts';
import { logFailure } from './logging/log-failure.ts';

/** Milliseconds to wait for the storage on startup. A keyring may stay locked for minutes. */
const STORAGE_TIMEOUT_MS = 2_000;
/** Milliseconds before the cleanup, so that it does not compete with the login page for the network. */
const CLEANUP_DELAY_MS = 3_000;

/**
 * Schedules erasing the stored data of a user after too long without contact with the server. Does nothing if a
 * user is signed in, or if none has ever signed in here.
 */
export function scheduleStorageCleanup(host: Host): void {
  if (readSignedInUsername() !== undefined || !hasEverSignedIn()) return;
  setTimeout(() => {
    // The next start tries again.
    import('./browser/offline-data.ts')
      .then(({ eraseStaleOfflineData }) => eraseStaleOfflineData(host))
      .catch(() => undefined);
  }, CLEANUP_DELAY_MS);
}

/**
 * Reads the start data stored for the signed-in user. Resolves to undefined if there is none or if it is
 * incompatible with this version of the app. Never rejects.
 */
export async function readCachedStartData(
  host: Host,
  isOfflineCopyEnabled: boolean,
): Promise<StoredStartData | undefined> {
  const username = readSignedInUsername();
  if (username === undefined || !isOfflineCopyEnabled) return undefined;
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, STORAGE_TIMEOUT_MS);
  });
  try {
    const { readOfflineStartData } = await import('./browser/offline-data.ts');
    const cached = await Promise.race([readOfflineStartData(host, username), timeout]);
    return cached && checkApiVersion(cached.config) === 'compatible' ? cached : undefined;
  } catch (error) {
    logFailure('reading the offline copy', error);
    return undefined;
  }
}
