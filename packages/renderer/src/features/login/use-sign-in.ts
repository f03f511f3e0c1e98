import { useCallback } from 'react';
import { fetchCurrentUser, login } from '../../api/accounts.ts';
import { useApi } from '../../api/api-context.ts';
import { useSwitchLanguage } from '../../i18n/use-language.ts';
import { signedInScreens } from '../../routes/screens.ts';
import { useSession } from '../../stores/session.ts';
import { noteSignedIn } from '../../stores/signed-in-hint.ts';
import { UnverifiedError } from './login-failure.ts';

/**
 * Logs in. What comes back shows the signed-in screens, in the person's language, when it is called.
 * Rejects with an `ApiError`, or an `UnverifiedError`.
 */
export function useSignIn(): (email: string, password: string) => Promise<() => void> {
  const api = useApi();
  const switchLanguage = useSwitchLanguage();
  return useCallback(
    async (email, password) => {
      const { isVerified } = await login(api, { email, password });
      if (!isVerified) throw new UnverifiedError();
      const user = await fetchCurrentUser(api);
      // At once: the session that another tab may show is over.
      noteSignedIn(user.username);
      // Fetched while the success message is read; the router reports a failure when it needs them.
      signedInScreens.shell().catch(() => undefined);
      return () => {
        void switchLanguage(user.language).finally(() => useSession.getState().begin(user));
      };
    },
    [api, switchLanguage],
  );
}
