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
import type { ListTarget } from '../jumps/use-chatroom-jumps.ts';
import { listenToScrolling } from './listen-to-scrolling.ts';
import type { TimelineRow } from './timeline.ts';
import { findRowsInView } from './visible-rows.ts';
import { useMoreMessages } from './use-more-messages.ts';
import { useReadingPosition } from './use-reading-position.ts';
import { useSettlingRows } from './use-settling-rows.ts';
import { useSteadyReading } from './use-steady-reading.ts';

export interface ScrollAnchorOptions {
  chatroomId: string;
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  hasMore: boolean;
  isLoadingOlder: boolean;
  /** Whether newer messages exist that are not loaded, so that the end of the list is not its bottom. */
  isDetached: boolean;
  onAtBottomChange: (isAtBottom: boolean) => void;
  /** The message at which the list opens, if the user has jumped to it. */
  target: ListTarget | undefined;
  /** Whether the list opens at its end, as the user has gone back there. */
  opensAtEnd: boolean;
}

/** The scroll state of the message list and the handlers of its events. */
export interface ScrollAnchor {
  /** Undefined until the rows are measured. */
  isAtBottom: boolean | undefined;
  /** Whether rows were added or removed at the top, so that the position is kept relative to the bottom. */
  isShifting: boolean;
  onScroll: () => void;
  onResize: () => void;
  scrollToBottom: () => void;
  /**
   * Scrolls to a row.
   * @param offset how far its top edge is above the top edge of the list, in pixels. By default, it is in the middle
   */
  scrollToRow: (index: number, offset?: number) => void;
  /** Lets the row go to which the list has scrolled. What is visible then stays in its place instead. */
  releaseRow: () => void;
}

/** The pin that keeps the list at its bottom while the user is there. */
export interface BottomPin extends Pick<
  ScrollAnchor,
  'isAtBottom' | 'onResize' | 'scrollToBottom'
> {
  isPinned: () => boolean;
  /** Returns whether the user is scrolling. */
  isScrolling: () => boolean;
  /** Lets the list leave its bottom. */
  unpin: () => void;
  /** Pins or unpins the list after it was scrolled. */
  measure: () => void;
}

/**
 * Anchors the scroll position of the message list. A room opens at the first unread message, at the saved
 * position or at the bottom. The list stays at the bottom while the user is there. Otherwise, it keeps its
 * position when older messages are added or the window and images change their size.
 */
export function useScrollAnchor(options: ScrollAnchorOptions): ScrollAnchor {
  const { chatroomId, scroller, rows, hasMore, isLoadingOlder, isDetached } = options;
  const isShifting = useIsShifting(rows);
  const pin = useBottomPin(options);
  const { isAtBottom, measure, scrollToBottom } = pin;
  const loadMore = useMoreMessages({
    chatroomId,
    scroller,
    rowCount: rows.length,
    isMeasured: isAtBottom !== undefined,
    hasMore,
    isLoadingOlder,
    isDetached,
  });
  const steady = useSteadyReading({ ...options, isShifting, pin });
  const onScroll = (): void => {
    measure();
    steady.onScroll();
    loadMore();
  };
  const scrollToRow = (index: number, offset?: number): void => {
    pin.unpin();
    steady.scrollToRow(index, offset === undefined ? 'center' : -offset);
  };
  useReadingPosition(options, pin, scrollToRow, onScroll);
  useFollowNewest(options, pin);
  const { onResize: keepBottom } = pin;
  const { onResize: keepText } = steady;
  const onResize = useCallback(() => {
    keepBottom();
    keepText();
  }, [keepBottom, keepText]);
  useResizeObserver(scroller, onResize);

  const reportAtBottom = useEffectEvent((value: boolean) => options.onAtBottomChange(value));
  useEffect(() => {
    if (isAtBottom !== undefined) reportAtBottom(isAtBottom);
  }, [isAtBottom]);

  return {
    isAtBottom,
    isShifting,
    onScroll,
    onResize,
    scrollToBottom,
    scrollToRow,
    releaseRow: steady.releaseRow,
  };
}

/** Pins the list to its bottom while the user is there, and unpins it once the user scrolls up. */
function useBottomPin({ scroller, rows, isDetached }: ScrollAnchorOptions): BottomPin {
  const pinned = useRef(true);
  const lastTop = useRef(0);
  const lastHeight = useRef(0);
  /** Whether the user is scrolling, so that rows that change before the list has moved do not bring it back. */
  const isUserScrolling = useRef(false);
  const [isAtBottom, setIsAtBottom] = useState<boolean>();
  const isSettling = useSettlingRows(scroller, rows);
  const isEmpty = rows.length === 0;
  /** Whether the list has measured its first rows. */
  const isMeasured = useRef(false);

  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    // Before, the list may be too short to scroll, and seem to be at its bottom.
    isMeasured.current ||= isEmpty || findRowsInView(element).length > 0;
    if (!isMeasured.current) return;
    const top = element.scrollTop;
    const distance = element.scrollHeight - top - element.clientHeight;
    const isNearBottom = !isDetached && distance < UI.atBottomThreshold;
    // Only scrolling up unpins the list. Rows that are measured late move the bottom away without scrolling up, and
    // an on-screen keyboard resizes the list.
    const hasMovedUp = top < lastTop.current && element.clientHeight === lastHeight.current;
    lastTop.current = top;
    lastHeight.current = element.clientHeight;
    const isLeaving = hasMovedUp && pinned.current && !isNearBottom && !isDetached;
    if (isLeaving && !isUserScrolling.current && isSettling()) {
      element.scrollTo({ top: element.scrollHeight });
      return;
    }
    if (isNearBottom || hasMovedUp) pinned.current = isNearBottom && !isUserScrolling.current;
    setIsAtBottom(isNearBottom);
  }, [scroller, isDetached, isEmpty, isSettling]);

  const measureAtRest = useEffectEvent(() => measure());
  useEffect(() => {
    if (!scroller.current) return undefined;
    return listenToScrolling(scroller.current, {
      onStart: (input) => {
        isUserScrolling.current = true;
        if (input === 'up') pinned.current = false;
      },
      onEnd: () => {
        isUserScrolling.current = false;
        measureAtRest();
      },
    });
  }, [scroller]);

  // Keeps the bottom visible when the composer, the window or rows change their size.
  const onResize = useCallback(() => {
    const element = scroller.current;
    if (element && pinned.current) element.scrollTo({ top: element.scrollHeight });
    measure();
  }, [measure, scroller]);

  const scrollToBottom = useCallback(() => {
    pinned.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);

  const isPinned = useCallback(() => pinned.current, []);
  const isScrolling = useCallback(() => isUserScrolling.current, []);
  const unpin = useCallback(() => {
    pinned.current = false;
  }, []);
  return { isAtBottom, isPinned, isScrolling, unpin, measure, onResize, scrollToBottom };
}

/** Scrolls to new messages while the list is pinned to its bottom, and always to those that the user sends. */
function useFollowNewest(
  { rows, isDetached }: ScrollAnchorOptions,
  { isPinned, scrollToBottom }: BottomPin,
): void {
  const lastKey = rows.at(-1)?.key;
  const lastShownKey = useRef<string>(undefined);
  const shownUnsentKeys = useRef<ReadonlySet<string>>(undefined);
  useLayoutEffect(() => {
    // A text is above images that are being uploaded.
    if (isDetached) return;
    const unsentKeys = new Set(rows.flatMap(({ key, entry }) => (entry ? [key] : [])));
    const before = shownUnsentKeys.current ?? unsentKeys;
    const hasNewUnsent = [...unsentKeys].some((key) => !before.has(key));
    const hasNewLast = lastShownKey.current !== lastKey;
    shownUnsentKeys.current = unsentKeys;
    lastShownKey.current = lastKey;
    if (hasNewUnsent || (hasNewLast && isPinned())) scrollToBottom();
  }, [rows, lastKey, isDetached, isPinned, scrollToBottom]);
}

/** Returns whether the last change of the rows added some at the top, or removed only such. */
function useIsShifting(rows: readonly TimelineRow[]): boolean {
  const [previousRows, setPreviousRows] = useState(rows);
  const [isShifting, setIsShifting] = useState(false);
  if (previousRows !== rows) {
    setPreviousRows(rows);
    const removed = previousRows.length - rows.length;
    const areFirstRemoved =
      removed > 0 && rows.every(({ key }, index) => previousRows[removed + index]?.key === key);
    setIsShifting(firstSeq(rows) < firstSeq(previousRows) || areFirstRemoved);
  }
  return isShifting;
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

function firstSeq(rows: readonly TimelineRow[]): number {
  return rows[0]?.message?.seq ?? Infinity;
}
