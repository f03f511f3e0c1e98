import { isServerReachable } from '@parley/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.ts';
import { startRequest } from './start-request.ts';

/** Data of the server. */
export interface Remote<Data extends object> {
  data: 'loading' | 'failed' | Data;
  /** Loads the data again after a failure. */
  retry: () => void;
  /** Loads the data again and keeps showing the old data until then. Resolves once the server has responded or failed. */
  reload: () => Promise<void>;
  /** Changes the data that is shown. A response to an earlier request is not shown, but requested again. */
  update: (change: (data: Data) => Data) => void;
}

interface DataRequest<Data> {
  readonly response: Promise<Data>;
  /** How often the data had been changed before. */
  readonly changes: number;
}

/** Loads data from the server, and again when the user returns to the page or the connection is back. */
export function useRemote<Data extends object>(load: () => Promise<Data>): Remote<Data> {
  const [data, setData] = useState<Remote<Data>['data']>('loading');
  const changes = useRef(0);
  const [request, setRequest] = useState<DataRequest<Data>>(() => ({
    response: startRequest(load),
    changes: 0,
  }));

  function reload(): Promise<void> {
    const response = startRequest(load);
    setRequest({ response, changes: changes.current });
    return response.then(
      () => undefined,
      () => undefined,
    );
  }
  const reloadAgain = useEffectEvent(() => void reload());
  const receive = useEffectEvent((loaded: Data) => {
    if (request.changes === changes.current) setData(loaded);
    else void reload();
  });

  const isLoading = useRef(true);
  useEffect(() => {
    let isCurrent = true;
    isLoading.current = true;
    const end = (show: () => void): void => {
      if (!isCurrent) return;
      isLoading.current = false;
      show();
    };
    request.response.then(
      (loaded) => end(() => receive(loaded)),
      () => end(() => setData((shown) => (typeof shown === 'object' ? shown : 'failed'))),
    );
    return () => {
      isCurrent = false;
    };
  }, [request]);

  useEffect(() => {
    const reloadIfVisible = (): void => {
      // A page that becomes visible most often gets the focus, too.
      if (document.visibilityState === 'visible' && !isLoading.current) reloadAgain();
    };
    document.addEventListener('visibilitychange', reloadIfVisible);
    // Beside another window, the page stays visible while the user is elsewhere.
    window.addEventListener('focus', reloadIfVisible);
    return () => {
      document.removeEventListener('visibilitychange', reloadIfVisible);
      window.removeEventListener('focus', reloadIfVisible);
    };
  }, []);

  const { connection } = useClient();
  useEffect(
    () =>
      connection.subscribe(({ status }, before) => {
        if (isServerReachable({ status }) && before.disconnectedAt !== undefined) reloadAgain();
      }),
    [connection],
  );

  return {
    data,
    retry: () => {
      setData('loading');
      void reload();
    },
    reload,
    update: (change) => {
      changes.current += 1;
      setData((shown) => (typeof shown === 'object' ? change(shown) : shown));
    },
  };
}
