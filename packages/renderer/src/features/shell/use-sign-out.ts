import { ApiError, logout } from '@parley/client';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { forgetWanted } from '../../routes/wanted.ts';
import { toastError } from '../../ui/toasts.ts';

/** Logs out; the login follows by itself. A failure is told and the person stays signed in. */
export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation();
  const api = useApi();
  const session = useSessionStore();
  return useCallback(async () => {
    try {
      await logout(api);
    } catch (error) {
      const isOver = error instanceof ApiError && error.code === 'unauthenticated';
      if (!isOver) {
        logFailure('logging out', error);
        toastError(t('shell.logoutFailed'));
        return;
      }
    }
    forgetWanted();
    session.getState().end('logout');
  }, [api, session, t]);
}
