import { shownPart, type ShownChatroom } from '@parley/client';
import { useMemo } from 'react';
import { buildTimeline, type TimelineRow } from './timeline.ts';

/**
 * Returns the rows of a room's list.
 * @param firstUnreadSeq `seq` of the message below the unread line
 */
export function useTimeline(
  room: ShownChatroom,
  firstUnreadSeq: number | undefined,
): TimelineRow[] {
  const { currentUsername, unsent } = room;
  const isDetached = room.detached !== undefined;
  const { messages, hasMore } = shownPart(room);
  return useMemo(
    () =>
      buildTimeline({
        messages,
        entries: isDetached ? [] : unsent,
        currentUsername,
        hasMore,
        firstUnreadSeq,
      }),
    [messages, unsent, currentUsername, hasMore, firstUnreadSeq, isDetached],
  );
}
