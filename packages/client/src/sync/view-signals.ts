import type { Platform } from '../platform.ts';
import type { ClientStores } from '../client-stores.ts';

/** Tells the server which chatroom the user has in view on this device. */
export interface ViewSignals {
  /** Tells the server, because there is a new connection. */
  flush: () => void;
  stop: () => void;
}

interface ViewSignalsDeps {
  platform: Pick<Platform, 'isFocused' | 'watchFocus'>;
  stores: Pick<ClientStores, 'view' | 'connection'>;
  /** Sends the signal if there is a connection. */
  send: (chatroomId: string | undefined) => void;
}

/** Starts to watch which chatroom is open in a focused page. */
export function startViewSignals({
  platform,
  stores: { view, connection },
  send,
}: ViewSignalsDeps): ViewSignals {
  /** The chatroom that the server knows of. A new connection starts without one. */
  let told: string | undefined;

  const viewed = (): string | undefined =>
    platform.isFocused() ? view.getState().chatroomId : undefined;

  function update(): void {
    if (connection.getState().status !== 'online' || viewed() === told) return;
    told = viewed();
    send(told);
  }

  const stops = [view.subscribe(update), platform.watchFocus(update)];
  return {
    flush: () => {
      told = viewed();
      send(told);
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
