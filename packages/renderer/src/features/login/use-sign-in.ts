import { ApiError, type ApiClient } from '@parley/client';
import type { CurrentUser } from '@parley/contract';
import { useCallback } from 'react';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { clearPendingSignOut, completePendingSignOut } from '../../app/pending-sign-out.ts';
import { saveSignedInUsername } from '../../app/signed-in-username.ts';
import { useSwitchLanguage } from '../../i18n/use-language.ts';
import { UnverifiedError } from './login-error-key.ts';

/**
 * Returns a function that logs in and resolves to another function, which shows the signed-in screens in the user's
 * language. Rejects with an `ApiError` or an `UnverifiedError`.
 * @param loadNextScreen loads the code of the first of these screens
 */
export function useSignIn(
  loadNextScreen: () => Promise<unknown>,
): (email: string, password: string) => Promise<() => void> {
  const api = useApi();
  const session = useSessionStore();
  const switchLanguage = useSwitchLanguage();
  return useCallback(
    async (email, password) => {
      await completePendingSignOut(api);
      const { isVerified } = await api.call('login', { body: { email, password } });
      if (!isVerified) throw new UnverifiedError();
      // A later retry of the sign-out would end the new session.
      clearPendingSignOut();
      const user = await fetchSignedInUser(api);
      // Stored immediately, as the login has ended the session of other tabs.
      saveSignedInUsername(user.username);
      // Loaded while the success message is shown. The router reports a failure when it needs the code.
      loadNextScreen().catch(() => undefined);
      return () => {
        void switchLanguage(user.language).finally(() => session.getState().begin(user));
      };
    },
    [api, session, switchLanguage, loadNextScreen],
  );
}

/** @throws {ApiError} `session_lost` if the browser did not send the cookie of the login */
async function fetchSignedInUser(api: ApiClient): Promise<CurrentUser> {
  try {
    return await api.call('getCurrentUser');
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated' || error.sessionEnded) {
      throw error;
    }
    throw new ApiError('session_lost', error.status, 'The cookie of the login was not sent');
  }
}
