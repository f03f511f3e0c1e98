import { useEffect, useEffectEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
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

/**
 * Returns a function that loads older or newer messages if an end of the list is near. Older ones are also loaded
 * when the list does not fill its frame.
 */
export function useMoreMessages(options: MoreMessagesOptions): () => void {
  const { chatroomId, scroller, rowCount, isMeasured, hasMore, isLoadingOlder, isDetached } =
    options;
  const { t } = useTranslation();
  const client = useClient();

  const loadOlderIfNearTop = (): void => {
    const offset = scroller.current?.scrollTop ?? Infinity;
    if (!hasMore || isLoadingOlder || offset >= LOAD_DISTANCE) return;
    client.loadOlder(chatroomId).catch(() => toastError(t('room.olderFailed')));
  };

  const loadNewerIfNearEnd = (): void => {
    const element = scroller.current;
    if (!element || !isDetached) return;
    const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (distance >= LOAD_DISTANCE) return;
    client.loadNewer(chatroomId).catch(() => toastError(t('room.newerFailed')));
  };

  const fillList = useEffectEvent((count: number) => {
    const element = scroller.current;
    if (!isMeasured || !element) return;
    if (count === 0 || element.scrollHeight <= element.clientHeight) loadOlderIfNearTop();
  });
  // After deletions, the remaining messages may be too few to scroll to older ones.
  useEffect(() => fillList(rowCount), [rowCount]);

  return () => {
    loadOlderIfNearTop();
    loadNewerIfNearEnd();
  };
}
