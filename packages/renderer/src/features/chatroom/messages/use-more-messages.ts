import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { useOnReconnect } from '../../../client/use-on-reconnect.ts';
import { toastError } from '../../../ui/show-toast.ts';

interface MoreMessagesOptions {
  chatroomId: string;
  scroller: RefObject<HTMLElement | null>;
  rowCount: number;
  /** Whether the rows are measured. */
  isMeasured: boolean;
  hasMore: boolean;
  isLoadingOlder: boolean;
  /** Whether newer messages exist that are not loaded. */
  isDetached: boolean;
}

/** Distance from an end of the list, in pixels, at which more messages are loaded. */
const LOAD_DISTANCE = 1_200;
/** How long the list does not load more after a failure while the user scrolls on. Milliseconds. */
const RETRY_MS = 3_000;

/**
 * Returns a function that loads older or newer messages if an end of the list is near. Older ones are also loaded
 * when the list does not fill its frame.
 */
export function useMoreMessages(options: MoreMessagesOptions): () => void {
  const { chatroomId, scroller, rowCount, isMeasured, hasMore, isLoadingOlder, isDetached } =
    options;
  const { t } = useTranslation();
  const client = useClient();

  /** The ends at which loading has just failed. */
  const failed = useRef(new Set<'older' | 'newer'>());

  const load = (end: 'older' | 'newer', distance: number): void => {
    if (distance >= LOAD_DISTANCE || failed.current.has(end)) return;
    const loading = end === 'older' ? client.loadOlder(chatroomId) : client.loadNewer(chatroomId);
    loading.catch(() => {
      failed.current.add(end);
      setTimeout(() => failed.current.delete(end), RETRY_MS);
      toastError(t(end === 'older' ? 'room.olderFailed' : 'room.newerFailed'));
    });
  };

  const loadMore = (): void => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (hasMore && !isLoadingOlder) load('older', scrollTop);
    if (isDetached) load('newer', scrollHeight - scrollTop - clientHeight);
  };

  const fillList = useEffectEvent((count: number) => {
    const element = scroller.current;
    if (!isMeasured || !element) return;
    if (count === 0 || element.scrollHeight <= element.clientHeight) loadMore();
  });
  // After deletions, the remaining messages may be too few to scroll to older ones.
  useEffect(() => fillList(rowCount), [rowCount]);

  useOnReconnect(() => {
    failed.current.clear();
    if (isMeasured) loadMore();
  });

  return loadMore;
}
