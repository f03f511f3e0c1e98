import { ApiError } from '@parley/client';
import type { SessionInfo } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import { useRemote, type Remote } from '../../shared/screen/use-remote.ts';

interface Sessions {
  /** The current session first, then by last use. */
  remote: Remote<readonly SessionInfo[]>;
  /** Id of the session that is being ended, or `others`. */
  ending: string | undefined;
  end: (id: string) => void;
  endOthers: () => void;
}

/** Loads the sessions of the current user, and ends them. */
export function useSessions(): Sessions {
  const { t } = useTranslation();
  const { withHelp } = useFailureText();
  const api = useApi();
  const [ending, setEnding] = useState<string>();
  const remote = useRemote<readonly SessionInfo[]>(async () =>
    sortSessions((await api.call('listSessions')).sessions),
  );

  async function endAndNotify(
    what: string,
    send: () => Promise<unknown>,
    stays: (session: SessionInfo) => boolean,
    done: string,
  ): Promise<void> {
    setEnding(what);
    try {
      await send();
      remote.update((sessions) => sessions.filter(stays));
      toastSuccess(done);
    } catch (error) {
      // The session has already ended, so the list is outdated.
      if (error instanceof ApiError && error.status === 404) void remote.reload();
      else toastError(await withHelp(t('settings.failed'), error));
    }
    setEnding(undefined);
  }

  return {
    remote,
    ending,
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

/** Returns sessions in the order in which they are shown: the current one first, then by last use. */
export function sortSessions(sessions: readonly SessionInfo[]): SessionInfo[] {
  return sessions.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  );
}
