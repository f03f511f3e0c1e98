import type { MessageKind } from '@parley/contract';
import type { Platform } from './platform.ts';

/** A new message of another user. */
export interface IncomingMessage {
  /** The same in every tab. */
  key: string;
  /** Chatroom id. */
  chatroom: string;
  /** Username of the sender. */
  name: string;
  kind: MessageKind;
  content: string;
}

/** Decides, together with the other tabs, which one alerts the user to a new message. */
export interface NotificationArbiter {
  announce: (incoming: IncomingMessage) => void;
  stop: () => void;
}

interface NotificationArbiterDeps {
  platform: Pick<Platform, 'locks' | 'openChannel' | 'canPlaySounds'>;
  /** Whether the user sees it in this tab right now. */
  isSeen: (incoming: IncomingMessage) => boolean;
  /** Alerts the user; called in one tab only, and not at all if the user sees it in any. */
  onUnseen: (incoming: IncomingMessage) => void;
}

/** How long the other tabs have to say that the message is seen there. Milliseconds. */
const WAIT_MS = 150;
/** How much longer a tab waits that may not sound. Milliseconds. */
const SILENT_WAIT_MS = 300;
/** Longer than the wait of a tab in the background, whose timers the browser slows down. Milliseconds. */
const CLAIM_MS = 5_000;

/** Creates the arbiter and begins to listen to the other tabs. */
export function createNotificationArbiter(deps: NotificationArbiterDeps): NotificationArbiter {
  const { platform, isSeen, onUnseen } = deps;
  const seenElsewhere = new Set<string>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const channel = platform.openChannel('parley.seen', (key) => {
    seenElsewhere.add(key);
    later(CLAIM_MS, () => seenElsewhere.delete(key));
  });
  let isStopped = false;

  function later(ms: number, task: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, ms);
    timers.add(timer);
  }

  async function claimAndAlert(incoming: IncomingMessage): Promise<void> {
    if (seenElsewhere.has(incoming.key)) return;
    const isFirst = await platform.locks.claim(`parley.heard.${incoming.key}`, CLAIM_MS);
    if (isFirst && !isStopped) onUnseen(incoming);
  }

  return {
    announce: (incoming) => {
      if (isSeen(incoming)) {
        channel.post(incoming.key);
        return;
      }
      const wait = platform.canPlaySounds() ? WAIT_MS : WAIT_MS + SILENT_WAIT_MS;
      later(wait, () => void claimAndAlert(incoming));
    },
    stop: () => {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      channel.close();
    },
  };
}
