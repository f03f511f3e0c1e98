import {
  eraseStaleData,
  eraseUserData,
  readStartFacts,
  type StoredStartFacts,
} from '@parley/client';
import type { SessionEndReason } from '@parley/contract';
import { createBrowserPlatform, type BrowserPlatformDeps } from './browser-platform.ts';

// Loaded where a user is signed in or was once: the login does not wait for the storage.

/** Reads what the app started with when this user was here last; undefined where it is not kept. */
export function readOfflineStartData(
  deps: BrowserPlatformDeps,
  username: string,
): Promise<StoredStartFacts | undefined> {
  return readStartFacts(createBrowserPlatform(deps), username);
}

/** Erases what may not stay in this browser after a user's session ended for this reason. */
export function eraseOfflineData(
  deps: BrowserPlatformDeps,
  username: string,
  reason: SessionEndReason,
): Promise<void> {
  return eraseUserData(createBrowserPlatform(deps), username, reason);
}

/** Erases what an expired session left too long ago. */
export function eraseOutdatedData(deps: BrowserPlatformDeps): Promise<void> {
  return eraseStaleData(createBrowserPlatform(deps));
}
