import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { hasKey, type TimelineRow } from './timeline.ts';

/**
 * Keeps the row at the top of the list in its place when rows above it disappear, as deleted messages do. The list
 * knows the heights of its rows only by their index, so that it would take each row for the one before.
 * @param isHeld returns whether the position follows something else, such as the bottom
 */
export function useSteadyRows(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly TimelineRow[],
  isHeld: () => boolean,
): void {
  const shownRows = useRef(rows);
  useLayoutEffect(() => {
    const before = shownRows.current;
    shownRows.current = rows;
    const handle = list.current;
    // The list learns of its position only with the next event.
    const position = scroller.current?.scrollTop ?? 0;
    if (before === rows || !handle || isHeld()) return;
    const top = handle.findItemIndex(position);
    for (const [distance, { key }] of before.slice(top).entries()) {
      const index = rows.findIndex((row) => hasKey(row, key));
      if (index < 0) continue;
      const offset = position - handle.getItemOffset(top + distance);
      // Rows that were added above keep their own heights.
      if (index < top + distance) handle.scrollToIndex(index, { align: 'start', offset });
      return;
    }
  }, [scroller, list, rows, isHeld]);
}
