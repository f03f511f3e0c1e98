import type { ServerEvents } from '@parley/contract';
import type { Platform } from '../platform.ts';
import type { ClientStores } from '../client-stores.ts';

/** Tells the server whether this device is in use, and shows which partners are online. */
export interface Presence {
  /** Shows what the server told. */
  show: (event: Parameters<ServerEvents['presence']>[0]) => void;
  /** Tells the server whether this device is in use, because there is a new connection. */
  flush: () => void;
  stop: () => void;
}

interface PresenceDeps {
  platform: Pick<Platform, 'watchUse'>;
  stores: Pick<ClientStores, 'activity' | 'connection'>;
  /** Sends the signal if there is a connection. */
  send: (isActive: boolean) => void;
}

/** Starts to watch whether this device is in use. */
export function startPresence({ platform, stores, send }: PresenceDeps): Presence {
  const { activity, connection } = stores;
  let isInUse = false;

  const unwatch = platform.watchUse((isNowInUse) => {
    if (isInUse === isNowInUse) return;
    isInUse = isNowInUse;
    if (connection.getState().status === 'online') send(isInUse);
  });
  // Without a connection, nothing is known.
  const unsubscribe = connection.subscribe(({ status }, before) => {
    if (before.status === 'online' && status !== 'online')
      activity.getState().setPresence({}, true);
  });

  return {
    show: ({ rooms, isComplete }) => activity.getState().setPresence(rooms, isComplete),
    flush: () => send(isInUse),
    stop: () => {
      unwatch();
      unsubscribe();
      activity.getState().setPresence({}, true);
    },
  };
}
