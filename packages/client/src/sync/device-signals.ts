import type { ClientCore } from '../client-core.ts';
import type { ClientStores } from '../client-stores.ts';
import type { Platform } from '../platform.ts';
import type { ClientTiming } from '../timing.ts';
import type { LiveConnection } from './live-connection.ts';

/** Tells the server what the user does on this device. */
export interface DeviceSignals {
  /** Tells a new connection whether the device is in use, and which chatroom is in view. */
  flush: () => void;
  /** Tells the partner that the user is typing, at most every few seconds. */
  notifyTyping: (chatroomId: string) => void;
}

interface DeviceSignalsDeps extends Pick<ClientCore, 'signal'> {
  platform: Pick<Platform, 'isFocused' | 'watchFocus' | 'watchUse'>;
  stores: Pick<ClientStores, 'view' | 'connection'>;
  timing: Pick<ClientTiming, 'typingInterval'>;
  /** Sends a signal if there is a connection. */
  send: LiveConnection['signal'];
}

/** Starts to watch whether this device is in use, and which chatroom is open in a focused page. */
export function createDeviceSignals(deps: DeviceSignalsDeps): DeviceSignals {
  const { platform, stores, signal, timing, send } = deps;
  const { view, connection } = stores;
  const isOnline = (): boolean => connection.getState().status === 'online';
  const typedAt = new Map<string, number>();
  let isInUse = false;
  /** The chatroom that the server knows of. A new connection starts without one. */
  let told: string | undefined;

  const viewed = (): string | undefined =>
    platform.isFocused() ? view.getState().chatroomId : undefined;

  function tellView(): void {
    told = viewed();
    send('attend', { chatroom: told ?? null });
  }

  function updateView(): void {
    if (isOnline() && viewed() !== told) tellView();
  }

  const stops = [
    view.subscribe(updateView),
    platform.watchFocus(updateView),
    platform.watchUse((isNowInUse) => {
      if (isInUse === isNowInUse) return;
      isInUse = isNowInUse;
      if (isOnline()) send('presence', { isActive: isInUse });
    }),
  ];
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()));

  return {
    flush: () => {
      send('presence', { isActive: isInUse });
      tellView();
    },
    notifyTyping: (chatroomId) => {
      const now = Date.now();
      const elapsed = now - (typedAt.get(chatroomId) ?? -Infinity);
      // The clock may have been set back.
      if (elapsed >= 0 && elapsed < timing.typingInterval) return;
      if (!isOnline()) return;
      typedAt.set(chatroomId, now);
      send('typing', { chatroom: chatroomId });
    },
  };
}
