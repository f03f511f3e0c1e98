import { ApiError } from '@parley/client';
import type { DataExport, ExportList } from '@parley/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { useRemote, type Remote } from '../screen/use-remote.ts';

/** Milliseconds after which the progress of an export is asked for again. */
const POLL_INTERVAL = 2_000;

/** The user's exports, and what can be done with them. */
export interface Exports {
  readonly remote: Remote<ExportList>;
  /** Whether an export is waiting or being made. */
  readonly isUnfinished: boolean;
  /** Whether a request of the user is in progress. */
  readonly isBusy: boolean;
  /** Why the last request of the user failed. */
  readonly error: string | undefined;
  /** Starts an export of a chat, or of everything. */
  readonly create: (chatroom?: string) => Promise<void>;
  /** Deletes an export, or stops it. Resolves to whether it is gone. */
  readonly discard: (id: string) => Promise<boolean>;
}

/** Returns whether an export is waiting or being made. */
export function isExportUnfinished({ status }: Pick<DataExport, 'status'>): boolean {
  return status === 'waiting' || status === 'running';
}

/** Loads the user's exports, and again and again while one is being made. */
export function useExports(): Exports {
  const { t } = useTranslation();
  const { withHelp } = useFailureText();
  const api = useApi();
  const language = useLanguage();
  const remote = useRemote<ExportList>(() => api.call('listExports'));
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { data, reload, update } = remote;
  const isUnfinished = typeof data === 'object' && data.exports.some(isExportUnfinished);

  const poll = useEffectEvent(reload);
  useEffect(() => {
    if (!isUnfinished) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    // Only after the response before, which may take longer than the interval.
    const schedule = (): void => {
      if (!isCurrent) return;
      timer = setTimeout(() => void poll().then(schedule), POLL_INTERVAL);
    };
    schedule();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isUnfinished]);

  async function run(action: () => Promise<void>, failure: string): Promise<boolean> {
    setIsBusy(true);
    setError(undefined);
    try {
      await action();
      return true;
    } catch (cause) {
      setError(await withHelp(failure, cause));
      // It may have been started on another device, or be gone.
      void reload();
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  async function create(chatroom?: string): Promise<void> {
    const request = (timeZone: string) => {
      const body = { language, timeZone, ...(chatroom !== undefined && { chatroom }) };
      return api.call('createExport', { body });
    };
    await run(async () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const created = await request(timeZone).catch((cause: unknown) => {
        // The browser may have a newer time zone than the server, or none.
        if (cause instanceof ApiError && cause.code === 'invalid_request') return request('UTC');
        throw cause;
      });
      // It may have been loaded in the meantime.
      update(({ exports }) => ({
        exports: [created, ...exports.filter(({ id }) => id !== created.id)],
      }));
    }, t('data.createFailed'));
  }

  function discard(id: string): Promise<boolean> {
    return run(async () => {
      await api.call('deleteExport', { params: { id } });
      update(({ exports }) => ({ exports: exports.filter((each) => each.id !== id) }));
    }, t('data.deleteFailed'));
  }

  return { remote, isUnfinished, isBusy, error, create, discard };
}
