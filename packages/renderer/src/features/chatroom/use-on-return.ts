import { useEffect, useEffectEvent } from 'react';
import { useConnection } from '../../stores/connection.ts';

/** Calls back whenever the connection returns after a break: what could not be fetched may be had now. */
export function useOnReturn(callback: () => void): void {
  const onReturn = useEffectEvent(callback);
  useEffect(
    () =>
      useConnection.subscribe(({ goneSince }, before) => {
        if (goneSince === undefined && before.goneSince !== undefined) onReturn();
      }),
    [],
  );
}
