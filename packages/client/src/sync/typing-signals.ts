import type { ClientStores } from '../client-stores.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';

/** Shows which partners are typing, and tells them that the user is. */
export interface Typing {
  /** Tells the partner that the user is typing, at most every few seconds. */
  notify: (chatroomId: string) => void;
  /** Shows for a few seconds that the partner is typing. */
  show: (chatroomId: string) => void;
  /** Ends what is shown, because a message has arrived. */
  hide: (chatroomId: string) => void;
  stop: () => void;
}

interface TypingDeps {
  stores: Pick<ClientStores, 'activity' | 'connection'>;
  /** Sends the signal if there is a connection. */
  send: (chatroomId: string) => void;
  timing?: Pick<ClientTiming, 'typingInterval' | 'typingShown'>;
}

/** Creates the signals. At first, no partner is shown as typing. */
export function createTyping(deps: TypingDeps): Typing {
  const { stores, send, timing = DEFAULT_TIMING } = deps;
  const { activity, connection } = stores;
  const sentAt = new Map<string, number>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function hide(chatroomId: string): void {
    clearTimeout(timers.get(chatroomId));
    timers.delete(chatroomId);
    activity.getState().setTyping(chatroomId, false);
  }

  function hideAll(): void {
    for (const chatroomId of timers.keys()) hide(chatroomId);
  }

  const unsubscribe = connection.subscribe(({ status }) => {
    if (status !== 'online') hideAll();
  });

  return {
    notify: (chatroomId) => {
      const now = Date.now();
      const elapsed = now - (sentAt.get(chatroomId) ?? -Infinity);
      // The clock may have been set back.
      if (elapsed >= 0 && elapsed < timing.typingInterval) return;
      if (connection.getState().status !== 'online') return;
      sentAt.set(chatroomId, now);
      send(chatroomId);
    },
    show: (chatroomId) => {
      clearTimeout(timers.get(chatroomId));
      timers.set(
        chatroomId,
        setTimeout(() => hide(chatroomId), timing.typingShown),
      );
      activity.getState().setTyping(chatroomId, true);
    },
    hide,
    stop: () => {
      unsubscribe();
      hideAll();
    },
  };
}
