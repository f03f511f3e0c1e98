import { ApiError, logout } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { savePendingSignOut, retryPendingSignOut } from '../../app/pending-sign-out.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { clearReturnTo } from '../../routes/return-to.ts';
import { toastError } from '../../ui/toasts.ts';

interface SignOut {
  /** Logs out; the login follows by itself. A failure is told and the user stays signed in. */
  signOut: () => Promise<void>;
  /** There is no connection: whether to log out all the same is asked. */
  isAsking: boolean;
  setAsking: (isAsking: boolean) => void;
  /** Logs out here at once, and on the server as soon as it can be reached. */
  signOutHere: () => void;
}

/** Logging out, with and without a connection. */
export function useSignOut(): SignOut {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();
  const [isAsking, setAsking] = useState(false);

  function end(): void {
    clearReturnTo();
    session.getState().end('logout');
  }

  return {
    signOut: async () => {
      try {
        await logout(api);
        end();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unauthenticated') {
          end();
          return;
        }
        logFailure('logging out', error);
        if (error instanceof ApiError && error.code === 'offline') setAsking(true);
        else toastError(t('shell.logoutFailed'));
      }
    },
    isAsking,
    setAsking,
    signOutHere: () => {
      savePendingSignOut();
      end();
      retryPendingSignOut(api);
    },
  };
}
