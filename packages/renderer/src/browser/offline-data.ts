import { eraseStaleData, eraseUserData, readStartData, type StoredStartData } from '@parley/client';
import type { SessionEndReason } from '@parley/contract';
import { createBrowserPlatform, type BrowserPlatformDeps } from './browser-platform.ts';

// This module is imported dynamically, so that the login page does not load the storage.

/** Reads the start data stored for a user. Resolves to undefined if there is none. */
export function readOfflineStartData(
  deps: BrowserPlatformDeps,
  username: string,
): Promise<StoredStartData | undefined> {
  return readStartData(createBrowserPlatform(deps), username);
}

/** Erases the data that must not stay in this browser after a user's session ended for the given reason. */
export function eraseOfflineData(
  deps: BrowserPlatformDeps,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  return eraseUserData(createBrowserPlatform(deps), username, reason);
}

/** Erases the stored data of any user after too long without contact with the server. */
export function eraseStaleOfflineData(deps: BrowserPlatformDeps): Promise<void> {
  return eraseStaleData(createBrowserPlatform(deps));
}
