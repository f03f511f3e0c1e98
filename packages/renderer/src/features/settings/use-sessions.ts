import { ApiError } from '@parley/client';
import type { SessionInfo } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';

interface Sessions {
  /** The current session first, then by last use. */
  sessions: 'loading' | 'failed' | readonly SessionInfo[];
  /** Id of the session that is being ended, or `others`. */
  ending: string | undefined;
  retry: () => void;
  end: (id: string) => void;
  endOthers: () => void;
}

/** Loads the sessions of the current user, and ends them. */
export function useSessions(): Sessions {
  const { t } = useTranslation();
  const api = useApi();
  const [sessions, setSessions] = useState<Sessions['sessions']>('loading');
  const [ending, setEnding] = useState<string>();

  const [request, setRequest] = useState(() => api.call('listSessions'));

  useEffect(() => {
    let isCurrent = true;
    request.then(
      (list) => isCurrent && setSessions(sortSessions(list.sessions)),
      () => isCurrent && setSessions('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [request]);

  async function endAndNotify(
    what: string,
    send: () => Promise<unknown>,
    stays: (session: SessionInfo) => boolean,
    done: string,
  ): Promise<void> {
    setEnding(what);
    try {
      await send();
      setSessions((list) => (typeof list === 'object' ? list.filter(stays) : list));
      toastSuccess(done);
    } catch (error) {
      // The session has already ended, so the list is outdated.
      if (error instanceof ApiError && error.status === 404) setRequest(api.call('listSessions'));
      else toastError(t('settings.failed'));
    }
    setEnding(undefined);
  }

  return {
    sessions,
    ending,
    retry: () => {
      setSessions('loading');
      setRequest(api.call('listSessions'));
    },
    end: (id) => {
      const stays = (session: SessionInfo): boolean => session.id !== id;
      void endAndNotify(
        id,
        () => api.call('endSession', { params: { id } }),
        stays,
        t('settings.sessionEnded'),
      );
    },
    endOthers: () => {
      void endAndNotify(
        'others',
        () => api.call('endOtherSessions'),
        isCurrentSession,
        t('settings.sessionsEnded'),
      );
    },
  };
}

function isCurrentSession({ isCurrent }: SessionInfo): boolean {
  return isCurrent;
}

function sortSessions(sessions: readonly SessionInfo[]): SessionInfo[] {
  return sessions.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  );
}
