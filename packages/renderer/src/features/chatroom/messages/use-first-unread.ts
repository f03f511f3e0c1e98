import type { Room } from '@parley/client';
import { useState } from 'react';

/**
 * Returns the `seq` of the message below the unread line. It is the first one that was unread when the room was
 * opened or when the user stopped reading. The line stays while the user reads on, and is not added while
 * they read at the bottom (`isReading`).
 */
export function useFirstUnread(room: Room, isReading: boolean): number | undefined {
  const [line, setLine] = useState(() => ({ seq: firstUnread(room), unread: room.unread }));
  if (line.unread !== room.unread) {
    const isFresh = line.unread === 0 && room.unread > 0 && !isReading;
    setLine({ seq: isFresh ? firstUnread(room) : line.seq, unread: room.unread });
  }
  return line.seq;
}

function firstUnread({ messages, readSeq, unread, currentUsername }: Room): number | undefined {
  if (unread === 0) return undefined;
  return messages.find(({ seq, sender }) => seq > readSeq && sender.username !== currentUsername)
    ?.seq;
}
