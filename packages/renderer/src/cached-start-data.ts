import type { StoredStartFacts } from '@parley/client';
import { checkApiVersion } from '@parley/contract';
import { readSignedInUsername, hasEverSignedIn } from './app/signed-in-username.ts';
import type { Host } from './host/host.ts';
import { logFailure } from './logging/log-failure.ts';

/** How long a start waits for the storage, in milliseconds: a keyring may stay locked for minutes. */
const WAIT_MS = 2_000;
/** How long the login has the network for itself, in milliseconds. */
const CLEANUP_DELAY_MS = 3_000;

/** Erases what a session that expired long ago left in this browser. Guests who were never here have nothing. */
export function scheduleStorageCleanup(host: Host): void {
  if (readSignedInUsername() !== undefined || !hasEverSignedIn()) return;
  setTimeout(() => {
    // A later start does it otherwise.
    import('./browser/offline-data.ts')
      .then(({ eraseOutdatedData }) => eraseOutdatedData(host))
      .catch(() => undefined);
  }, CLEANUP_DELAY_MS);
}

/**
 * Reads what the app started with last, where a user is signed in in this browser. Undefined where nothing is
 * kept, or where this version of the app could not work with it. Never rejects.
 */
export async function readCachedStartData(
  host: Host,
  keepsCopy: boolean,
): Promise<StoredStartFacts | undefined> {
  const username = readSignedInUsername();
  if (username === undefined || !keepsCopy) return undefined;
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, WAIT_MS);
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
