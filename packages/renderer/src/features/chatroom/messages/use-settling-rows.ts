import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { listenToInputs } from './listen-to-inputs.ts';
import type { TimelineRow } from './timeline.ts';

/** How long it may take to measure changed rows, in milliseconds. */
const SETTLE_MS = 300;

/**
 * Returns a function that tells whether the rows have just changed and the user has not scrolled since. While rows
 * are replaced, as when the server confirms an image, the list may become shorter for a moment and thereby move up.
 */
export function useSettlingRows(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly TimelineRow[],
): () => boolean {
  const changedAt = useRef(-Infinity);
  const shownRows = useRef(rows);
  useLayoutEffect(() => {
    if (shownRows.current === rows) return;
    shownRows.current = rows;
    changedAt.current = performance.now();
  }, [rows]);

  useEffect(() => {
    if (!scroller.current) return undefined;
    return listenToInputs(scroller.current, () => {
      changedAt.current = -Infinity;
    });
  }, [scroller]);

  return useCallback(() => performance.now() < changedAt.current + SETTLE_MS, []);
}
