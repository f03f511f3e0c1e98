import { parseConfig } from '@parley/client';
import { checkApiVersion, type PublicConfig } from '@parley/contract';
import { readSignedInUsername, hasEverSignedIn } from './app/signed-in-username.ts';
import { localRecord } from './browser/local-record.ts';
import type { Host } from './host/host.ts';
import { logFailure } from './logging/log-failure.ts';
import { isPublicPath } from './navigation/paths.ts';
import type { StartData } from './start-data.ts';

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

const configRecord = () =>
  localRecord<PublicConfig | undefined>('parley.config', undefined, parseConfig);

/** Stores the server's configuration, so that the next start of a guest does not wait for it. */
export function saveConfig(config: PublicConfig): void {
  configRecord().write(config);
}

/**
 * Reads the start data of an earlier start of the signed-in user, or of a guest on a page for guests. Resolves to
 * undefined if there is none or if it is incompatible with this version of the app. Never rejects.
 */
export async function readCachedStartData(
  host: Host,
  isOfflineCopyEnabled: boolean,
): Promise<StartData | undefined> {
  const username = readSignedInUsername();
  if (username === undefined) return readGuestStartData();
  if (!isOfflineCopyEnabled) return undefined;
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

function readGuestStartData(): StartData | undefined {
  const config = isPublicPath(location.pathname) ? configRecord().read() : undefined;
  return config && checkApiVersion(config) === 'compatible'
    ? { config, user: undefined }
    : undefined;
}
