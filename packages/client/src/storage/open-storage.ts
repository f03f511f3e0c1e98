import type { Platform } from '../platform.ts';
import type { ClientStorage } from './client-storage.ts';
import { createUserStorage, type UserStorage } from './user-storage.ts';

/** The storage of a client once it is open; undefined where there is none. Nothing may wait for it. */
export type OpenedStorage = Promise<ClientStorage | undefined>;

/** The same with what is known of its user. */
export type OpenedUserStorage = Promise<UserStorage | undefined>;

/** Opens the platform's storage for a user. Never rejects: without storage a client works in memory. */
export async function openStorage(
  { openStorage: open, locks, logFailure }: Pick<Platform, 'openStorage' | 'locks' | 'logFailure'>,
  username: string,
  now: () => number = Date.now,
): OpenedUserStorage {
  try {
    return await createUserStorage(await open(), username, locks, now);
  } catch (error) {
    logFailure('opening the storage', error);
    return undefined;
  }
}
