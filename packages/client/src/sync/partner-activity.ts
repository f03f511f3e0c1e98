import type { ClientCore } from '../client-core.ts';
import type { ClientStores } from '../client-stores.ts';
import type { ClientTiming } from '../timing.ts';

/** Shows which partners are typing, as the server tells. */
export interface PartnerActivity {
  /** Shows for a few seconds that the partner is typing. */
  showTyping: (chatroomId: string) => void;
  /** Ends what is shown, because a message has arrived. */
  hideTyping: (chatroomId: string) => void;
}

interface PartnerActivityDeps extends Pick<ClientCore, 'signal'> {
  stores: Pick<ClientStores, 'activity' | 'connection'>;
  timing: Pick<ClientTiming, 'typingShown'>;
}

/** Starts to clear what is known of the activity of partners when the connection is lost. */
export function createPartnerActivity(deps: PartnerActivityDeps): PartnerActivity {
  const { stores, signal, timing } = deps;
  const { setTyping, setPresence } = stores.activity.getState();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function hideTyping(chatroomId: string): void {
    clearTimeout(timers.get(chatroomId));
    timers.delete(chatroomId);
    setTyping(chatroomId, false);
  }

  function clear(): void {
    for (const chatroomId of timers.keys()) hideTyping(chatroomId);
    setPresence({}, true);
  }

  const unsubscribe = stores.connection.subscribe(({ status }, before) => {
    if (before.status === 'online' && status !== 'online') clear();
  });
  signal.addEventListener('abort', () => {
    unsubscribe();
    clear();
  });

  return {
    showTyping: (chatroomId) => {
      clearTimeout(timers.get(chatroomId));
      timers.set(
        chatroomId,
        setTimeout(() => hideTyping(chatroomId), timing.typingShown),
      );
      setTyping(chatroomId, true);
    },
    hideTyping,
  };
}
