import { selectUnsentMessages, withPendingReactions, type LoadedChatroom } from '@parley/client';
import { useMemo } from 'react';
import { useClientState } from '../../../client/client-context.ts';
import { buildTimeline, type TimelineRow } from './timeline.ts';

/**
 * Returns the rows of a room's list, with what the server has not confirmed yet.
 * @param firstUnreadSeq `seq` of the message below the unread line
 */
export function useTimeline(
  room: LoadedChatroom,
  firstUnreadSeq: number | undefined,
): TimelineRow[] {
  const { id, currentUsername, detached } = room;
  const isDetached = detached !== undefined;
  const { messages: loaded, hasMore } = detached ?? room;
  const entries = useClientState('outbox', (state) => state.entries);
  const mutations = useClientState('mutations', (state) => state.mutations);
  const messages = useMemo(
    () => withPendingReactions(loaded, mutations, currentUsername),
    [loaded, mutations, currentUsername],
  );
  return useMemo(
    () =>
      buildTimeline({
        messages,
        entries: isDetached ? [] : selectUnsentMessages(entries, id),
        currentUsername,
        hasMore,
        firstUnreadSeq,
      }),
    [messages, entries, currentUsername, hasMore, firstUnreadSeq, id, isDetached],
  );
}
