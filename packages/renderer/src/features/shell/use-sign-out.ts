import { ApiError } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { completePendingSignOut, savePendingSignOut } from '../../app/pending-sign-out.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { clearReturnTo } from '../../routes/return-to.ts';
import { toastError } from '../../ui/show-toast.ts';

interface SignOut {
  /** Logs out. If it fails, the user stays signed in and an error is shown. */
  signOut: () => Promise<void>;
  /** Whether the confirmation for logging out while offline is open. */
  isConfirming: boolean;
  setIsConfirming: (isConfirming: boolean) => void;
  /** Logs out on this device immediately, and on the server as soon as it can be reached. */
  signOutLocally: () => void;
}

/** Returns the actions for logging out, online and offline. */
export function useSignOut(): SignOut {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();
  const [isConfirming, setIsConfirming] = useState(false);

  function end(): void {
    clearReturnTo();
    session.getState().end('logout');
  }

  return {
    signOut: async () => {
      try {
        await api.call('logout');
        end();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unauthenticated') {
          end();
          return;
        }
        logFailure('logging out', error);
        if (error instanceof ApiError && error.code === 'offline') setIsConfirming(true);
        else toastError(t('shell.logoutFailed'));
      }
    },
    isConfirming,
    setIsConfirming,
    signOutLocally: () => {
      savePendingSignOut();
      end();
      void completePendingSignOut(api);
    },
  };
}
