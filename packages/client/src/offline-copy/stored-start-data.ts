import type { PublicConfig, SessionEndReason } from '@parley/contract';
import { hasFields, isNumber, isText, objectWith } from '../api/responses.ts';
import type { Platform } from '../platform.ts';
import type { ClientStorage } from '../client-storage.ts';
import {
  eraseStale,
  eraseUserStorage,
  isOwnedBy,
  START_DATA_KEY,
  type UserStoragePlatform,
} from '../storage/user-storage.ts';
import type { StoredStartData } from './offline-copy.ts';

/** The parts of the platform that opening and erasing a user's storage requires. */
type StoragePlatform = UserStoragePlatform & Pick<Platform, 'openStorage' | 'logFailure'>;

const isUser = objectWith({
  username: isText,
  usermail: isText,
  dateOfRegistration: isText,
  language: isText,
  volume: isText,
});

const isConfig = objectWith({
  version: isText,
  apiVersion: isNumber,
  mediaPrefix: isText,
  mediaBase: isText,
  avatarUrl: isText,
  registration: isText,
  operator: objectWith({}),
});

/** Returns a stored configuration, or undefined if another version has stored it with other fields. */
export function parseConfig(value: unknown): PublicConfig | undefined {
  return isConfig(value) ? (value as PublicConfig) : undefined;
}

/**
 * Reads the data that the app needs to start without a connection. Resolves to undefined if it is
 * not stored. Erases data that is too old. Never rejects.
 */
export async function readStartData(
  platform: StoragePlatform,
  username: string,
): Promise<StoredStartData | undefined> {
  // Does not open it as the user's storage. The session may end in the meantime, and that would
  // assign the erased storage to the user again.
  return withStorage(platform, 'reading the offline copy', async (storage) => {
    if (!(await isOwnedBy(storage, username))) {
      await eraseStale(platform, storage);
      return undefined;
    }
    const startData = (await storage.get('meta', START_DATA_KEY))?.value;
    if (!hasFields(startData, { user: isUser, config: isConfig })) return undefined;
    const stored = startData as StoredStartData;
    return stored.user.username === username ? stored : undefined;
  });
}

/**
 * Erases the stored data of a user whose session ended while none of their clients ran. The reason
 * determines which data is erased. Never rejects.
 */
export function eraseUserData(
  platform: StoragePlatform,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  return withStorage(platform, 'erasing the storage', (storage) =>
    eraseUserStorage(platform, storage, username, reason),
  );
}

/**
 * Erases stored data of any user after too long without contact with the server. Call it while no
 * user is signed in. Never rejects.
 */
export function eraseStaleData(platform: StoragePlatform): Promise<void> {
  return withStorage(platform, 'erasing the storage', (storage) => eraseStale(platform, storage));
}

/** Opens the storage for a task. Logs a failure, and resolves to undefined. */
async function withStorage<T>(
  platform: StoragePlatform,
  what: string,
  task: (storage: ClientStorage) => Promise<T>,
): Promise<T | undefined> {
  try {
    const storage = await platform.openStorage();
    return await task(storage).finally(() => storage.close());
  } catch (error) {
    platform.logFailure(what, error);
    return undefined;
  }
}
