import type { ReadingPosition } from '@parley/client';
import { itemsOf, type TimelineRow } from './timeline.ts';

/** Finds where rows are visible whose messages have been confirmed by the server, from the top. */
export function findVisibleRows(
  scroller: HTMLElement,
  rows: readonly TimelineRow[],
): ReadingPosition[] {
  const { top } = scroller.getBoundingClientRect();
  const seqs = new Map(rows.map((row) => [row.key, itemsOf(row)[0]?.message?.seq]));
  const visible = [...scroller.querySelectorAll<HTMLElement>('[data-key]')].flatMap((row) => {
    const box = row.getBoundingClientRect();
    const key = row.dataset['key'] ?? '';
    const seq = seqs.get(key);
    return box.bottom > top && seq !== undefined ? [{ key, seq, offset: top - box.top }] : [];
  });
  // Rows that stay mounted outside the viewport may have another order.
  return visible.toSorted((a, b) => a.seq - b.seq);
}

/** Returns whether a list shows rows to the user. It hides new ones until it has measured them. */
export function hasVisibleRows(scroller: HTMLElement): boolean {
  const view = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll('[data-key]')].some((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const isInView = bottom > view.top && top < view.bottom;
    return isInView && row.checkVisibility({ visibilityProperty: true });
  });
}
