import { shownPart, type LoadedChatroom } from '@parley/client';
import type { Message } from '@parley/contract';
import { useState } from 'react';
import type { ChatroomJumps } from './use-chatroom-jumps.ts';
import { useUnreadRequest } from './use-unread-request.ts';

interface ListOpeningOptions {
  room: LoadedChatroom;
  /** Whether the room comes from the offline copy. */
  isFromCopy: boolean;
  /** Whether newer messages may follow after those of the offline copy. */
  isResyncing: boolean;
  /** Whether the page is visible and has the focus. */
  isAttended: boolean;
  isAtBottom: boolean;
  jumps: ChatroomJumps;
  /** Called when the list opens at an unread message, above its bottom. */
  onReopen: () => void;
}

/** Where the list of a room opens. */
interface ListOpening {
  /** Changes when the list opens again, at another place. */
  key: string;
  /** `seq` of the message at whose unread line it opens, even if it is read by now. */
  unreadLine: number | undefined;
  /** Whether it opens at its end, as the user has gone back from elsewhere in the chatroom. */
  isAtEnd: boolean;
}

/**
 * Returns where the list of a room opens. It opens again after a jump to messages that were not loaded, at the first
 * message that arrived while the app was closed, and at the unread message that a link or notification leads to.
 */
export function useListOpening(options: ListOpeningOptions): ListOpening {
  const { room, isFromCopy, isResyncing, isAttended, isAtBottom, jumps, onReopen } = options;
  const newest = room.messages.at(-1)?.seq;
  const [resync, setResync] = useState({ isResyncing, newest, count: 0 });
  if (resync.isResyncing !== isResyncing) {
    const isBehind = !isFromCopy && isAtBottom && room.unread > 0 && newest !== resync.newest;
    setResync({ isResyncing, newest, count: resync.count + (isBehind ? 1 : 0) });
    if (isBehind) onReopen();
  }

  const generation = useListGeneration(shownPart(room).messages);
  const [unreadLine, setUnreadLine] = useState({ seq: 0, count: 0, generation });
  useUnreadRequest(room, isAttended, jumps, (seq) => {
    setUnreadLine(({ count }) => ({ seq, count: count + 1, generation }));
    onReopen();
  });
  const hasUnreadLine = unreadLine.count > 0 && unreadLine.generation === generation;
  const [latest, setLatest] = useState({ generation, resyncs: resync.count, isAtEnd: false });
  if (latest.generation !== generation || latest.resyncs !== resync.count) {
    const isAtEnd = latest.resyncs === resync.count && !room.detached;
    setLatest({ generation, resyncs: resync.count, isAtEnd });
  }

  return {
    key: `${resync.count}:${generation}:${unreadLine.count}`,
    unreadLine: hasUnreadLine ? unreadLine.seq : undefined,
    isAtEnd: latest.isAtEnd && !hasUnreadLine,
  };
}

/**
 * Returns a number that changes when a list shows other messages than before: after a jump, and not when messages
 * are added at one of its ends.
 */
function useListGeneration(messages: readonly Message[]): number {
  const [shown, setShown] = useState({ messages, generation: 0 });
  if (shown.messages === messages) return shown.generation;
  const generation = shown.generation + (isReplaced(shown.messages, messages) ? 1 : 0);
  setShown({ messages, generation });
  return generation;
}

/** Returns whether two uninterrupted sequences of messages have none in common. */
function isReplaced(before: readonly Message[], after: readonly Message[]): boolean {
  const [first, last] = [before[0]?.seq, before.at(-1)?.seq];
  const [nextFirst, nextLast] = [after[0]?.seq, after.at(-1)?.seq];
  if (first === undefined || last === undefined) return false;
  if (nextFirst === undefined || nextLast === undefined) return false;
  return nextLast < first || nextFirst > last;
}
