import { ApiError } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { completePendingSignOut, savePendingSignOut } from '../../app/pending-sign-out.ts';
import { useClient } from '../../client/client-context.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { clearReturnTo } from '../../navigation/return-to.ts';
import { toastError } from '../../ui/show-toast.ts';
import { getSignOutWarning, type SignOutWarning } from './sign-out-warning.ts';

/** The actions for logging out, and the confirmation that they may need. */
export interface SignOut {
  /** Logs out, or first asks for a confirmation if unsent messages would be deleted. */
  signOut: () => void;
  /** Whether the server is being asked to log out. */
  isBusy: boolean;
  /** Whether the confirmation is open. */
  isConfirming: boolean;
  setIsConfirming: (isConfirming: boolean) => void;
  /** What the confirmation warns of. */
  warning: SignOutWarning;
  /** Logs out after the confirmation. */
  confirmSignOut: () => void;
}

/** Returns the actions for logging out, online and offline. */
export function useSignOut(): SignOut {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();
  const { outbox, connection } = useClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const [warning, setWarning] = useState<SignOutWarning>('offline');
  const [isBusy, setIsBusy] = useState(false);

  function confirm(next: SignOutWarning): void {
    setWarning(next);
    setIsConfirming(true);
  }

  function end(): void {
    clearReturnTo();
    session.getState().end('logout');
  }

  /** Logs out on the server. If that fails, the user stays signed in and the reason is shown. */
  async function signOutOnline(): Promise<void> {
    setIsBusy(true);
    try {
      await api.call('logout');
      end();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') {
        end();
        return;
      }
      logFailure('logging out', error);
      if (error instanceof ApiError && error.code === 'offline') confirm('offline');
      else toastError(t('frame.logoutFailed'));
    }
    setIsBusy(false);
  }

  /** Logs out on this device immediately, and on the server as soon as it can be reached. */
  function signOutLocally(): void {
    savePendingSignOut();
    end();
    void completePendingSignOut(api);
  }

  return {
    signOut: () => {
      const next = getSignOutWarning(outbox.getState(), connection.getState().status);
      if (next) confirm(next);
      else void signOutOnline();
    },
    isBusy,
    isConfirming,
    setIsConfirming,
    warning,
    confirmSignOut: () => {
      if (warning === 'offline') {
        signOutLocally();
        return;
      }
      setIsConfirming(false);
      void signOutOnline();
    },
  };
}
