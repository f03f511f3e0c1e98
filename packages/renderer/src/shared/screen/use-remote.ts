import { isServerReachable } from '@parley/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.ts';
import { startRequest } from './start-request.ts';

/** Data of the server. */
export interface Remote<Data extends object> {
  data: 'loading' | 'failed' | Data;
  /** Loads the data again after a failure. */
  retry: () => void;
  /** Loads the data again and keeps showing the old data until then. */
  reload: () => void;
  /** Changes the data that is shown. */
  update: (change: (data: Data) => Data) => void;
}

/** Loads data from the server, and again when the user returns to the page or the connection is back. */
export function useRemote<Data extends object>(load: () => Promise<Data>): Remote<Data> {
  const [data, setData] = useState<Remote<Data>['data']>('loading');
  const [request, setRequest] = useState(() => startRequest(load));

  const isLoading = useRef(true);
  useEffect(() => {
    let isCurrent = true;
    isLoading.current = true;
    const show = (change: (shown: Remote<Data>['data']) => Remote<Data>['data']): void => {
      if (!isCurrent) return;
      isLoading.current = false;
      setData(change);
    };
    request.then(
      (loaded) => show(() => loaded),
      () => show((shown) => (typeof shown === 'object' ? shown : 'failed')),
    );
    return () => {
      isCurrent = false;
    };
  }, [request]);

  const reload = useEffectEvent(() => setRequest(load()));
  useEffect(() => {
    const reloadIfVisible = (): void => {
      // A page that becomes visible most often gets the focus, too.
      if (document.visibilityState === 'visible' && !isLoading.current) reload();
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
        if (isServerReachable({ status }) && before.disconnectedAt !== undefined) reload();
      }),
    [connection],
  );

  return {
    data,
    retry: () => {
      setData('loading');
      setRequest(load());
    },
    reload: () => setRequest(load()),
    update: (change) => setData((shown) => (typeof shown === 'object' ? change(shown) : shown)),
  };
}
