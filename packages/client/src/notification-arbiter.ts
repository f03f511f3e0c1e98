import type { Platform } from './platform.ts';
import { runLater } from './run-later.ts';

/** A new message of another user, a reaction, or an accepted invitation. */
export interface IncomingMessage {
  /** Identifies the message across tabs. */
  key: string;
  chatroomId: string;
  /** Username of the sender. */
  name: string;
  kind: string;
  content: string;
  /** `seq` of the message, or of the message that was reacted to, if it is known. */
  seq?: number;
  /** Present and true if the user wants no sound now. */
  isSilent?: boolean;
  /** Present and true for the first message of a request. Its content is not to be shown. */
  isRequest?: boolean;
  /** Present and true if the other user has accepted an invitation of the user. There is no message then. */
  isInvitation?: boolean;
  /** An emoji if it is a reaction of the other user to a message of the user with the given content. */
  reaction?: string;
}

interface NotificationArbiterDeps {
  platform: Pick<Platform, 'locks' | 'openChannel' | 'canPlaySounds'>;
  /** Ends listening to the other tabs. */
  signal: AbortSignal;
  /** Returns whether the user currently sees the message in this tab. */
  isSeen: (incoming: IncomingMessage) => boolean;
  /** Returns whether the user has read the message, possibly on another device. */
  isRead: (incoming: IncomingMessage) => boolean;
  /**
   * Notifies the user. Called in one tab only, and in none if the user sees the message in any tab or
   * has read it.
   */
  onUnseen: (incoming: IncomingMessage) => void;
}

/** How long to wait for other tabs to report that the user sees the message. Milliseconds. */
const WAIT_MS = 150;
/** Extra wait of a tab that may not play sounds, so that others go first. Milliseconds. */
const SILENT_WAIT_MS = 300;
/** How long a claim is held: longer than the wait of a background tab, whose timers are throttled. Milliseconds. */
const CLAIM_MS = 5_000;

/** Returns a function that decides with the other tabs which one notifies the user of a message. */
export function createNotificationArbiter(
  deps: NotificationArbiterDeps,
): (incoming: IncomingMessage) => void {
  const { platform, signal, isSeen, isRead, onUnseen } = deps;
  const seenElsewhere = new Set<string>();
  const channel = platform.openChannel('parley.seen', (key) => {
    seenElsewhere.add(key);
    runLater(signal, CLAIM_MS, () => seenElsewhere.delete(key));
  });
  signal.addEventListener('abort', channel.close);

  /** Returns whether the user sees the message in this tab, and tells the other tabs if so. */
  function reportIfSeen(incoming: IncomingMessage): boolean {
    if (!isSeen(incoming)) return false;
    channel.post(incoming.key);
    return true;
  }

  async function claimAndAlert(incoming: IncomingMessage): Promise<void> {
    // The user may have opened the chatroom or scrolled to its end while this tab waited.
    if (seenElsewhere.has(incoming.key) || reportIfSeen(incoming)) return;
    if (isRead(incoming)) return;
    const isFirst = await platform.locks.claim(`parley.heard.${incoming.key}`, CLAIM_MS);
    if (isFirst && !signal.aborted) onUnseen(incoming);
  }

  return (incoming) => {
    if (reportIfSeen(incoming)) return;
    const wait = platform.canPlaySounds() ? WAIT_MS : WAIT_MS + SILENT_WAIT_MS;
    runLater(signal, wait, () => void claimAndAlert(incoming));
  };
}
