import type { ReadingPosition } from '@parley/client';
import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { useClient } from '../../../client/client-context.ts';
import { hasKey, hasSeq, type TimelineRow } from './timeline.ts';
import type { BottomPin, ScrollAnchor, ScrollAnchorOptions } from './use-scroll-anchor.ts';
import { findVisibleRows } from './visible-rows.ts';

/** Space above the unread line when a room opens there, in pixels. */
const UNREAD_LINE_OFFSET = 56;

/**
 * Opens the list at the target of a jump, at the first unread message, at the saved position or at the bottom. Tells
 * the client where the user reads, and saves the position when the list closes.
 * @param onOpened called once the visible rows are known
 */
export function useReadingPosition(
  options: ScrollAnchorOptions,
  { isAtBottom, isPinned, scrollToBottom }: BottomPin,
  scrollToRow: ScrollAnchor['scrollToRow'],
  onOpened: () => void,
): void {
  const { chatroomId, scroller, rows, target, opensAtEnd } = options;
  const client = useClient();

  const restore = useEffectEvent(() => {
    const targetIndex = target ? rows.findIndex((row) => hasSeq(row, target.seq)) : -1;
    if (targetIndex >= 0) {
      scrollToRow(targetIndex, target?.offset);
      return;
    }
    const saved = client.readingPositions.getState().positions.get(chatroomId);
    const opening = opensAtEnd ? undefined : findOpeningPosition(rows, saved);
    if (opening) scrollToRow(opening.index, opening.offset);
    else scrollToBottom();
  });
  const handleOpened = useEffectEvent(onOpened);
  useLayoutEffect(() => {
    restore();
    // The visible rows are known only after the list has measured its rows in the next frames.
    const timer = setTimeout(() => handleOpened(), 120);
    return () => clearTimeout(timer);
  }, []);

  const find = useEffectEvent((seq?: number): ReadingPosition | undefined => {
    const element = scroller.current;
    if (!element || (seq === undefined && isPinned())) return undefined;
    const visible = findVisibleRows(element, rows);
    if (seq === undefined) return visible[0];
    const key = rows.find((row) => hasSeq(row, seq))?.key;
    const position = visible.find((row) => row.key === key);
    return position && { ...position, seq };
  });
  useEffect(() => {
    return client.view.getState().setFinder((seq) => find(seq));
  }, [client]);

  const save = useEffectEvent((element: HTMLElement) => {
    // The user has left before the list has arrived at its position.
    if (isAtBottom === undefined) return;
    const position = isPinned() ? undefined : findVisibleRows(element, rows)[0];
    client.readingPositions.getState().setPosition(chatroomId, position);
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      if (element) save(element);
    };
  }, [scroller]);
}

/** Returns the row at which a room opens, and the offset from its top. Undefined for the bottom. */
function findOpeningPosition(
  rows: readonly TimelineRow[],
  saved: ReadingPosition | undefined,
): { index: number; offset: number } | undefined {
  const unreadIndex = rows.findIndex(({ isFirstUnread }) => isFirstUnread);
  if (unreadIndex >= 0) return { index: unreadIndex, offset: -UNREAD_LINE_OFFSET };
  const savedIndex = saved ? rows.findIndex((row) => hasKey(row, saved.key)) : -1;
  return saved && savedIndex >= 0 ? { index: savedIndex, offset: saved.offset } : undefined;
}
