import type { Message } from '@parley/contract';
import { claimForTab } from './tab-lock.ts';

/** Decides, together with the other tabs, which one makes a new message heard. */
export interface Attention {
  /** A message of the partner arrived. */
  announce: (message: Message) => void;
  stop: () => void;
}

export interface AttentionDeps {
  /** Whether the reader sees the message in this tab right now. */
  isSeen: (message: Message) => boolean;
  /** Makes it heard; called in one tab only, and not at all if the reader sees it in any. */
  onUnseen: (message: Message) => void;
}

/** How long the other tabs have to say that the message is seen there. Milliseconds. */
const WAIT_MS = 150;
/** Longer than the wait of a tab in the background, whose timers the browser slows down. Milliseconds. */
const CLAIM_MS = 5_000;

export function createAttention({ isSeen, onUnseen }: AttentionDeps): Attention {
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

  async function claimAndTell(message: Message): Promise<void> {
    if (seenElsewhere.has(message._id)) return;
    if (await claimForTab(`parley.heard.${message._id}`, CLAIM_MS)) onUnseen(message);
  }

  return {
    announce: (message) => {
      if (isSeen(message)) tellOthers?.(message._id);
      else later(WAIT_MS, () => void claimAndTell(message));
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      channel?.close();
    },
  };
}
