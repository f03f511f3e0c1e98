import { useEffect, useEffectEvent } from 'react';
import { useClient } from './client-context.ts';

/** Calls `callback` whenever the connection is reestablished, to retry failed loads. */
export function useOnReconnect(callback: () => void): void {
  const handleReconnect = useEffectEvent(callback);
  const client = useClient();
  useEffect(
    () =>
      client.connection.subscribe(({ disconnectedAt }, before) => {
        if (disconnectedAt === undefined && before.disconnectedAt !== undefined) handleReconnect();
      }),
    [client],
  );
}
