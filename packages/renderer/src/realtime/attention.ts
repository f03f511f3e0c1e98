import type { MessageKind } from '@parley/contract';
import { claimForTab } from './tab-lock.ts';

/** Something new of somebody else. */
export interface Incoming {
  /** The same in every tab. */
  key: string;
  /** Room id. */
  chatroom: string;
  /** Who wrote it. */
  name: string;
  kind: MessageKind;
  content: string;
}

/** Decides, together with the other tabs, which one makes something new heard. */
export interface Attention {
  announce: (incoming: Incoming) => void;
  stop: () => void;
}

interface AttentionDeps {
  /** Whether the reader sees it in this tab right now. */
  isSeen: (incoming: Incoming) => boolean;
  /** Whether this tab may sound; one that may not leaves it to the others, if there are any. */
  maySound: () => boolean;
  /** Makes it heard; called in one tab only, and not at all if the reader sees it in any. */
  onUnseen: (incoming: Incoming) => void;
}

/** How long the other tabs have to say that the message is seen there. Milliseconds. */
const WAIT_MS = 150;
/** How much longer a tab waits that may not sound. Milliseconds. */
const SILENT_WAIT_MS = 300;
/** Longer than the wait of a tab in the background, whose timers the browser slows down. Milliseconds. */
const CLAIM_MS = 5_000;

/** Begins to listen to the other tabs. */
export function createAttention({ isSeen, maySound, onUnseen }: AttentionDeps): Attention {
  const seenElsewhere = new Set<string>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const channel =
    typeof BroadcastChannel === 'function' ? new BroadcastChannel('parley.seen') : undefined;
  const tellOthers = channel?.postMessage.bind(channel);
  channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (typeof event.data === 'string') remember(event.data);
  });

  function remember(id: string): void {
    seenElsewhere.add(id);
    later(CLAIM_MS, () => seenElsewhere.delete(id));
  }

  function later(ms: number, task: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, ms);
    timers.add(timer);
  }

  async function claimAndTell(incoming: Incoming): Promise<void> {
    if (seenElsewhere.has(incoming.key)) return;
    if (await claimForTab(`parley.heard.${incoming.key}`, CLAIM_MS)) onUnseen(incoming);
  }

  return {
    announce: (incoming) => {
      if (isSeen(incoming)) {
        tellOthers?.(incoming.key);
        return;
      }
      const wait = maySound() ? WAIT_MS : WAIT_MS + SILENT_WAIT_MS;
      later(wait, () => void claimAndTell(incoming));
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      channel?.close();
    },
  };
}
