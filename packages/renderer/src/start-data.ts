import { type ApiClient, ApiError, fetchConfig, fetchCurrentUser } from '@parley/client';
import type { CurrentUser, PublicConfig } from '@parley/contract';
import { completePendingSignOut } from './app/pending-sign-out.ts';
import { clearSignedInUsername, readSignedInUsername } from './app/signed-in-username.ts';
import { logFailure } from './logging/log-failure.ts';
import { isPublicPath } from './routes/paths.ts';

/** What has to be known before the first screen. */
export interface StartData {
  config: PublicConfig;
  /** `undefined` for a stranger. */
  user: CurrentUser | undefined;
}

/** Asks the server for both at once. Rejects with an `ApiError` where it cannot say. */
export async function fetchStartData(api: ApiClient, path: string): Promise<StartData> {
  // Before the server says who is signed in: a user may have left without a connection.
  await completePendingSignOut(api);
  const [config, user] = await Promise.all([fetchConfig(api), fetchUser(api, path)]);
  return { config, user };
}

async function fetchUser(api: ApiClient, path: string): Promise<CurrentUser | undefined> {
  if (readSignedInUsername() === undefined && isPublicPath(path)) return undefined;
  try {
    return await fetchCurrentUser(api);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') {
      clearSignedInUsername();
      return undefined;
    }
    logFailure("fetching the user's language", error);
    // What everybody may see needs nobody's account.
    if (isPublicPath(path)) return undefined;
    throw error;
  }
}
