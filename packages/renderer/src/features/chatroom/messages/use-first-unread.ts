import type { Room } from '@parley/client';
import { useState } from 'react';

/**
 * Above which message the unread line stands: the first one that was unread when the room was opened
 * or when reading stopped. It stays while the person reads on, so that they can find it again. While
 * they read at the end (`isReading`), nothing becomes unread.
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
