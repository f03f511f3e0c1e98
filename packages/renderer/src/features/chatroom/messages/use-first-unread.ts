import { shownPart, type LoadedChatroom } from '@parley/client';
import { useState } from 'react';
import { findFirstReceived } from '../jumps/unread-request.ts';

/**
 * Returns the `seq` of the message below the unread line. It is the first one that was unread when the room was
 * opened or when the user stopped reading. The line stays while the user reads on, and is not added while
 * they read at the bottom (`isReading`). `initial` is where it is at first, if the room has been open before.
 */
export function useFirstUnread(
  room: LoadedChatroom,
  isReading: boolean,
  initial: number | undefined,
): number | undefined {
  const [line, setLine] = useState(() => ({
    seq: initial ?? firstUnread(room),
    unread: room.unread,
  }));
  if (line.unread !== room.unread) {
    const isFresh = line.unread === 0 && room.unread > 0 && !isReading;
    setLine({ seq: isFresh ? firstUnread(room) : line.seq, unread: room.unread });
  }
  return line.seq;
}

function firstUnread(room: LoadedChatroom): number | undefined {
  if (room.unread === 0) return undefined;
  const { messages } = shownPart(room);
  return findFirstReceived({ ...room, messages }, room.readSeq);
}
