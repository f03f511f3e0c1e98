import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { listenToInputs } from './listen-to-inputs.ts';
import type { BottomPin } from './use-scroll-anchor.ts';
import { hasKey, type TimelineRow } from './timeline.ts';

/** The row whose place in the list does not change. */
interface Anchor {
  key: string;
  /** Distance of its top edge below the top edge of the list, in pixels. */
  top: number | 'center';
}

interface SteadyReadingOptions {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  /** Whether rows changed only at the top, for which the list keeps its position itself. */
  isShifting: boolean;
  /** The pin of the bottom, which the position follows instead while the user is there. */
  pin: Pick<BottomPin, 'isPinned' | 'isScrolling'>;
}

/** Keeps the text that is read in its place. */
export interface SteadyReading {
  /**
   * Scrolls to a row and keeps it there while the rows are measured, unless the user scrolls.
   * @param top distance of its top edge below the top edge of the list, in pixels, or the middle of the list
   */
  scrollToRow: (index: number, top: number | 'center') => void;
  /** Lets the row go to which the list has scrolled. */
  releaseRow: () => void;
  /** Notes where the user reads, after the list was scrolled. */
  onScroll: () => void;
  /** Brings the text back to its place, after the list or its rows have changed their size. */
  onResize: () => void;
}

/** How long it may take to measure rows after a change, in milliseconds. */
const SETTLE_MS = 300;
/** How long it may take to measure the first row at another place, in milliseconds. */
const OPEN_MS = 1_000;
/** How long after its last event a list may still be scrolling, in milliseconds. */
const SCROLL_MS = 150;

/**
 * Keeps the first completely visible row in its place when rows above it disappear, as deleted messages do, and when
 * rows or the list change their size, as on a phone that is turned. The list itself keeps its position only when rows
 * above its top edge are measured. It knows heights by the index of a row, so that after a deletion it takes each row
 * for the one before.
 */
export function useSteadyReading(options: SteadyReadingOptions): SteadyReading {
  const { scroller, list, rows, isShifting } = options;
  const { isPinned, isScrolling } = options.pin;
  const anchor = useRef<Anchor>(undefined);
  const shownRows = useRef(rows);
  const scrolledAt = useRef(-Infinity);
  const settlesUntil = useRef(-Infinity);

  useLayoutEffect(() => {
    const before = shownRows.current;
    shownRows.current = rows;
    const handle = list.current;
    // The list learns of its position only with the next event.
    const position = scroller.current?.scrollTop ?? 0;
    if (before === rows || !handle || isShifting || isPinned()) return;
    const first = findAnchorIndex(handle, position, viewHeight(scroller));
    for (const [distance, { key }] of before.slice(first).entries()) {
      const index = rows.findIndex((row) => hasKey(row, key));
      if (index < 0) continue;
      // It becomes the first one if those before it disappeared.
      const top = handle.getItemOffset(first + distance) - position;
      if (index >= first + distance) return;
      anchor.current = { key, top: distance > 0 ? Math.min(top, viewHeight(scroller) / 2) : top };
      settlesUntil.current = performance.now() + SETTLE_MS;
      scrollToAnchor(scroller, handle, index, anchor.current);
      return;
    }
  }, [scroller, list, rows, isShifting, isPinned]);

  useEffect(() => {
    if (!scroller.current) return undefined;
    return listenToInputs(scroller.current, () => {
      settlesUntil.current = -Infinity;
      scrolledAt.current = performance.now();
    });
  }, [scroller]);

  const scrollToRow = useCallback(
    (index: number, top: number | 'center') => {
      const key = shownRows.current[index]?.key;
      if (key === undefined || !list.current) return;
      anchor.current = { key, top };
      settlesUntil.current = performance.now() + OPEN_MS;
      scrollToAnchor(scroller, list.current, index, anchor.current);
    },
    [scroller, list],
  );

  const releaseRow = useCallback(() => {
    settlesUntil.current = -Infinity;
  }, []);

  const onScroll = useCallback(() => {
    const now = performance.now();
    const handle = list.current;
    if (!handle || (now < settlesUntil.current && !isScrolling())) return;
    scrolledAt.current = now;
    const position = scroller.current?.scrollTop ?? 0;
    const index = findAnchorIndex(handle, position, viewHeight(scroller));
    const key = shownRows.current[index]?.key;
    anchor.current =
      key === undefined ? undefined : { key, top: handle.getItemOffset(index) - position };
  }, [scroller, list, isScrolling]);

  const onResize = useCallback(() => {
    const now = performance.now();
    const handle = list.current;
    if (!handle || !anchor.current || isPinned()) return;
    // The list measures rows while the user scrolls to them.
    if (now < scrolledAt.current + SCROLL_MS && now >= settlesUntil.current) return;
    const { key } = anchor.current;
    const index = shownRows.current.findIndex((row) => hasKey(row, key));
    if (index < 0) return;
    settlesUntil.current = Math.max(settlesUntil.current, now + SETTLE_MS);
    scrollToAnchor(scroller, handle, index, anchor.current);
  }, [scroller, list, isPinned]);

  return { scrollToRow, releaseRow, onScroll, onResize };
}

/**
 * Brings a row to its place. The list could do so itself, but it would go on while it measures rows, also after the user
 * has scrolled.
 */
function scrollToAnchor(
  scroller: RefObject<HTMLElement | null>,
  handle: VirtualizerHandle,
  index: number,
  { top }: Anchor,
): void {
  const element = scroller.current;
  const middle = () => (viewHeight(scroller) - handle.getItemSize(index)) / 2;
  const position = handle.getItemOffset(index) - (top === 'center' ? middle() : top);
  // The browser limits the position to the end of the list.
  if (element && Math.abs(position - element.scrollTop) >= 1) element.scrollTo({ top: position });
}

function viewHeight(scroller: RefObject<HTMLElement | null>): number {
  return scroller.current?.clientHeight ?? 0;
}

/** Returns the index of the first row that begins within the view, or of the one that fills it. */
function findAnchorIndex(handle: VirtualizerHandle, position: number, height: number): number {
  const index = handle.findItemIndex(position);
  const next = handle.getItemOffset(index + 1);
  const isCut = handle.getItemOffset(index) < position;
  return isCut && next > position && next < position + height ? index + 1 : index;
}
