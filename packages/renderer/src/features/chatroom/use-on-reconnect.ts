import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../../client/client-context.ts';

/** Calls back whenever the connection returns after a break: what could not be fetched may be had now. */
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
