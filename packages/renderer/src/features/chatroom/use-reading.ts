import type { LoadedChatroom } from '@parley/client';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { isPageFocused, watchPageFocus } from '../../browser/page-focused.ts';
import { useClient } from '../../client/client-context.ts';

/** How the user reads a room. */
interface Reading {
  /** Whether the page is visible and has the focus. */
  isAttended: boolean;
  isAtBottom: boolean;
  /** Called when the list reaches or leaves its bottom. */
  onAtBottomChange: (isAtBottom: boolean) => void;
  /** Whether the user is reading the newest messages. */
  isReading: boolean;
}

/**
 * Returns how the user reads a room, and marks its messages as read meanwhile.
 * @param isResyncing whether newer messages may follow after the end of the list
 */
export function useReading(
  { id, unread, detached }: LoadedChatroom,
  isResyncing: boolean,
): Reading {
  const client = useClient();
  const isAttended = useIsPageFocused();
  const [isAtBottom, setIsAtBottom] = useState(false);
  const isReading = isAtBottom && isAttended && !isResyncing && !detached;

  useEffect(() => client.view.getState().setView(id, isAtBottom), [client, id, isAtBottom]);
  // Runs before the next paint, so that the badge does not flash for messages read on arrival.
  useLayoutEffect(() => {
    if (unread > 0 && isReading) client.markRead(id);
  }, [client, id, unread, isReading]);

  return { isAttended, isAtBottom, onAtBottomChange: setIsAtBottom, isReading };
}

/** Returns whether this page is visible and has the focus. Rerenders when that changes. */
function useIsPageFocused(): boolean {
  return useSyncExternalStore(watchPageFocus, isPageFocused);
}
