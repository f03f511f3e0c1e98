import { ApiError, endOtherSessions, endSession, fetchSessions } from '@parley/client';
import type { SessionInfo } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { toastError, toastSuccess } from '../../ui/toasts.ts';

interface Sessions {
  /** This session first, then by last use. */
  sessions: 'loading' | 'failed' | readonly SessionInfo[];
  /** What is being ended: an id, or `others`. */
  ending: string | undefined;
  retry: () => void;
  end: (id: string) => void;
  endOthers: () => void;
}

/** The person's sessions, and ending them. */
export function useSessions(): Sessions {
  const { t } = useTranslation();
  const api = useApi();
  const [sessions, setSessions] = useState<Sessions['sessions']>('loading');
  const [ending, setEnding] = useState<string>();

  const [request, setRequest] = useState(() => fetchSessions(api));

  useEffect(() => {
    let isCurrent = true;
    request.then(
      (list) => isCurrent && setSessions(inOrder(list.sessions)),
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
      // Ended meanwhile in another way: the list is old.
      if (error instanceof ApiError && error.status === 404) setRequest(fetchSessions(api));
      else toastError(t('settings.failed'));
    }
    setEnding(undefined);
  }

  return {
    sessions,
    ending,
    retry: () => {
      setSessions('loading');
      setRequest(fetchSessions(api));
    },
    end: (id) => {
      const stays = (session: SessionInfo): boolean => session.id !== id;
      void endAndNotify(id, () => endSession(api, id), stays, t('settings.sessionEnded'));
    },
    endOthers: () => {
      void endAndNotify('others', () => endOtherSessions(api), isThis, t('settings.sessionsEnded'));
    },
  };
}

function isThis({ isCurrent }: SessionInfo): boolean {
  return isCurrent;
}

function inOrder(sessions: readonly SessionInfo[]): SessionInfo[] {
  return sessions.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  );
}
