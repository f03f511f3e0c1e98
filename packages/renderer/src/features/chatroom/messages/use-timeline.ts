import type { ShownChatroom } from '@parley/client';
import { useMemo } from 'react';
import { buildTimeline, type TimelineRow } from './timeline.ts';

/**
 * Returns the rows of a room's list.
 * @param firstUnreadSeq `seq` of the message below the unread line
 */
export function useTimeline(
  { currentUsername, detached, unsent, ...newest }: ShownChatroom,
  firstUnreadSeq: number | undefined,
): TimelineRow[] {
  const isDetached = detached !== undefined;
  const { messages, hasMore } = detached ?? newest;
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
