import { isServerReachable } from '@parley/client';
import { useEffect, useEffectEvent, useState } from 'react';
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

  useEffect(() => {
    let isCurrent = true;
    request.then(
      (loaded) => isCurrent && setData(loaded),
      () => isCurrent && setData((shown) => (typeof shown === 'object' ? shown : 'failed')),
    );
    return () => {
      isCurrent = false;
    };
  }, [request]);

  const reload = useEffectEvent(() => setRequest(load()));
  useEffect(() => {
    const reloadIfVisible = (): void => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => document.removeEventListener('visibilitychange', reloadIfVisible);
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
