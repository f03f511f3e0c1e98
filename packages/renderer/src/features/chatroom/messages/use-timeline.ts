import { shownPart, type ShownChatroom } from '@parley/client';
import { useMemo } from 'react';
import { useToday } from '../../../format/use-clock.ts';
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
  const today = useToday();
  return useMemo(
    () =>
      buildTimeline({
        messages,
        entries: isDetached ? [] : unsent,
        currentUsername,
        hasMore,
        firstUnreadSeq,
        today,
      }),
    [messages, unsent, currentUsername, hasMore, firstUnreadSeq, isDetached, today],
  );
}
