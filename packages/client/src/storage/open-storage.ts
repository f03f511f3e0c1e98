import type { Platform } from '../platform.ts';
import type { ClientStorage } from './client-storage.ts';

/** The storage of a client once it is open; undefined where there is none. Nothing may wait for it. */
export type OpenedStorage = Promise<ClientStorage | undefined>;

/** Opens the platform's storage. Never rejects: without storage a client works in memory. */
export async function openStorage({
  openStorage: open,
  logFailure,
}: Pick<Platform, 'openStorage' | 'logFailure'>): OpenedStorage {
  try {
    return await open();
  } catch (error) {
    logFailure('opening the storage', error);
    return undefined;
  }
}
