import { type ApiClient, ApiError } from '@parley/client';
import type { CurrentUser, PublicConfig } from '@parley/contract';
import { completePendingSignOut } from './app/pending-sign-out.ts';
import { clearSignedInUsername, readSignedInUsername } from './app/signed-in-username.ts';
import { logFailure } from './logging/log-failure.ts';
import { isPublicPath, isStaticPath } from './navigation/paths.ts';

/** The data that the first screen depends on. */
export interface StartData {
  config: PublicConfig;
  /** Undefined for a guest. */
  user: CurrentUser | undefined;
  /** Why the user of a static page is not known; undefined if the user is known. */
  userFailure?: { readonly error: unknown } | undefined;
}

type FetchedUser = Pick<StartData, 'user' | 'userFailure'>;

/**
 * Fetches the server's configuration and the current user in parallel.
 * @throws {ApiError} if a request fails
 */
export async function fetchStartData(api: ApiClient, path: string): Promise<StartData> {
  // A user who signed out while offline counts as a guest until the server has ended the session.
  const isSignedOut = await completePendingSignOut(api);
  const [config, fetched] = await Promise.all([
    api.call('getConfig'),
    isSignedOut ? fetchUser(api, path) : { user: undefined },
  ]);
  return { config, ...fetched };
}

async function fetchUser(api: ApiClient, path: string): Promise<FetchedUser> {
  const guest = { user: undefined };
  if (readSignedInUsername() === undefined && isPublicPath(path)) return guest;
  try {
    return { user: await api.call('getCurrentUser') };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') {
      clearSignedInUsername();
      return guest;
    }
    // A start without the server is expected.
    const isOffline = error instanceof ApiError && error.code === 'offline';
    logFailure("fetching the user's language", error, isOffline ? 'info' : 'error');
    // Public and static pages do not depend on the current user.
    if (isPublicPath(path)) return guest;
    if (isStaticPath(path)) return { ...guest, userFailure: { error } };
    throw error;
  }
}
