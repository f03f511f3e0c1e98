import type { ReadingPosition } from '@parley/client';
import { UI } from '@parley/contract';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useClient } from '../../../client/client-context.ts';
import { findTopmostRow } from './topmost-row.ts';
import type { TimelineRow } from './timeline.ts';

interface ScrollAnchorOptions {
  chatroomId: string;
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  hasMore: boolean;
  isLoadingOlder: boolean;
  onLoadOlder: () => void;
  onAtBottomChange: (isAtBottom: boolean) => void;
}

/** The scroll state of the message list and the handlers of its events. */
export interface ScrollAnchor {
  /** Undefined until the rows are measured. */
  isAtBottom: boolean | undefined;
  /** Whether rows were added at the top, so that the position is kept relative to the bottom. */
  isPrepending: boolean;
  onScroll: () => void;
  onResize: () => void;
  scrollToBottom: () => void;
}

/** Distance from the top, in pixels, at which older messages are loaded. */
const LOAD_OLDER_DISTANCE = 1_200;
/** Space above the unread line when a room opens there, in pixels. */
const UNREAD_LINE_OFFSET = 56;

/**
 * Anchors the scroll position of the message list. A room opens at the first unread message, at the saved
 * position or at the bottom. The list stays at the bottom while the user is there. Otherwise, it keeps its
 * position when older messages are added or the window and images change their size.
 */
export function useScrollAnchor(options: ScrollAnchorOptions): ScrollAnchor {
  const {
    chatroomId,
    scroller,
    list,
    rows,
    hasMore,
    isLoadingOlder,
    onLoadOlder,
    onAtBottomChange,
  } = options;
  const client = useClient();
  const isPinnedToBottom = useRef(true);
  const lastTop = useRef(0);
  const [isAtBottom, setIsAtBottom] = useState<boolean>();
  const isPrepending = useIsPrepending(rows);

  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const top = element.scrollTop;
    const distance = element.scrollHeight - top - element.clientHeight;
    const isNearBottom = distance < UI.atBottomThreshold;
    // Only scrolling up unpins the list. Rows that are measured late move the bottom away without scrolling up.
    if (isNearBottom || top < lastTop.current) isPinnedToBottom.current = isNearBottom;
    lastTop.current = top;
    setIsAtBottom(isNearBottom);
  }, [scroller]);

  // Keeps the bottom visible when the composer, the window or rows change their size.
  const onResize = useCallback(() => {
    const element = scroller.current;
    if (element && isPinnedToBottom.current) element.scrollTo({ top: element.scrollHeight });
    measure();
  }, [measure, scroller]);

  const loadOlderIfNearTop = (): void => {
    const offset = scroller.current?.scrollTop ?? Infinity;
    if (hasMore && !isLoadingOlder && offset < LOAD_OLDER_DISTANCE) onLoadOlder();
  };

  const scrollToBottom = useCallback(() => {
    isPinnedToBottom.current = true;
    list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: 'end' });
  }, [list]);

  const handleOpened = useEffectEvent(() => {
    measure();
    loadOlderIfNearTop();
  });
  const restorePosition = useEffectEvent(() => {
    const saved = client.readingPositions.getState().positions.get(chatroomId);
    const opening = findOpeningPosition(rows, saved);
    isPinnedToBottom.current = opening === undefined;
    if (opening) {
      list.current?.scrollToIndex(opening.index, { align: 'start', offset: opening.offset });
    } else {
      list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
    }
  });

  useLayoutEffect(() => {
    restorePosition();
    // The visible rows are known only after the list has measured its rows in the next frames.
    const timer = setTimeout(() => handleOpened(), 120);
    return () => clearTimeout(timer);
  }, []);

  const savePosition = useEffectEvent((element: HTMLElement) => {
    const position = isPinnedToBottom.current ? undefined : findTopmostRow(element, rows);
    client.readingPositions.getState().setPosition(chatroomId, position);
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      if (element) savePosition(element);
    };
  }, [scroller]);

  const fillList = useEffectEvent((rowCount: number) => {
    const element = scroller.current;
    if (isAtBottom === undefined || !element) return;
    if (rowCount === 0 || element.scrollHeight <= element.clientHeight) loadOlderIfNearTop();
  });
  // After deletions, the remaining messages may be too few to scroll to older ones.
  const { length } = rows;
  useEffect(() => fillList(length), [length]);

  const lastKey = rows.at(-1)?.key;
  const isLastUnsent = rows.at(-1)?.entry !== undefined;
  const lastShownKey = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (lastShownKey.current === lastKey) return;
    lastShownKey.current = lastKey;
    // Always scrolls to messages that the user sends.
    if (isLastUnsent || isPinnedToBottom.current) scrollToBottom();
  }, [lastKey, isLastUnsent, scrollToBottom]);

  useResizeObserver(scroller, onResize);

  const reportAtBottom = useEffectEvent((value: boolean) => onAtBottomChange(value));
  useEffect(() => {
    if (isAtBottom !== undefined) reportAtBottom(isAtBottom);
  }, [isAtBottom]);

  return {
    isAtBottom,
    isPrepending,
    onScroll: () => {
      measure();
      loadOlderIfNearTop();
    },
    onResize,
    scrollToBottom,
  };
}

/** Returns whether the last change of the rows added some at the top. */
function useIsPrepending(rows: readonly TimelineRow[]): boolean {
  const [previousRows, setPreviousRows] = useState(rows);
  const [isPrepending, setIsPrepending] = useState(false);
  if (previousRows !== rows) {
    setPreviousRows(rows);
    setIsPrepending(firstSeq(rows) < firstSeq(previousRows));
  }
  return isPrepending;
}

/** Calls `onResize` when the scroller or its content changes its size. */
function useResizeObserver(scroller: RefObject<HTMLElement | null>, onResize: () => void): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    if (element.lastElementChild) observer.observe(element.lastElementChild);
    return () => observer.disconnect();
  }, [onResize, scroller]);
}

/** Returns the row at which a room opens, and the offset from its top. Undefined for the bottom. */
function findOpeningPosition(
  rows: readonly TimelineRow[],
  saved: ReadingPosition | undefined,
): { index: number; offset: number } | undefined {
  const unreadIndex = rows.findIndex(({ isFirstUnread }) => isFirstUnread);
  if (unreadIndex >= 0) return { index: unreadIndex, offset: -UNREAD_LINE_OFFSET };
  const savedIndex = saved ? rows.findIndex(({ key }) => key === saved.key) : -1;
  return saved && savedIndex >= 0 ? { index: savedIndex, offset: saved.offset } : undefined;
}

function firstSeq(rows: readonly TimelineRow[]): number {
  return rows[0]?.message?.seq ?? Infinity;
}
