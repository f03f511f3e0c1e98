import { fetchCurrentUser, login } from '@parley/client';
import { useCallback } from 'react';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { completePendingSignOut } from '../../app/pending-sign-out.ts';
import { saveSignedInUsername } from '../../app/signed-in-username.ts';
import { useSwitchLanguage } from '../../i18n/use-language.ts';
import { signedInScreens } from '../../routes/screens.ts';
import { UnverifiedError } from './login-error-key.ts';

/**
 * Logs in. What comes back shows the signed-in screens, in the person's language, when it is called.
 * Rejects with an `ApiError`, or an `UnverifiedError`.
 */
export function useSignIn(): (email: string, password: string) => Promise<() => void> {
  const api = useApi();
  const session = useSessionStore();
  const switchLanguage = useSwitchLanguage();
  return useCallback(
    async (email, password) => {
      await completePendingSignOut(api);
      const { isVerified } = await login(api, { email, password });
      if (!isVerified) throw new UnverifiedError();
      const user = await fetchCurrentUser(api);
      // At once: the session that another tab may show is over.
      saveSignedInUsername(user.username);
      // Fetched while the success message is read; the router reports a failure when it needs them.
      signedInScreens.shell().catch(() => undefined);
      return () => {
        void switchLanguage(user.language).finally(() => session.getState().begin(user));
      };
    },
    [api, session, switchLanguage],
  );
}
