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

/** Returns the rows whose messages a list shows, from the top. It hides new ones until it has measured them. */
export function findRowsInView(scroller: HTMLElement): HTMLElement[] {
  const view = scroller.getBoundingClientRect();
  // The images of an album have keys, too.
  return [...scroller.querySelectorAll<HTMLElement>('[data-key]:not(article *)')]
    .map((row) => ({ row, box: (row.querySelector('article') ?? row).getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > view.top && box.top < view.bottom)
    .filter(({ row }) => row.checkVisibility({ visibilityProperty: true }))
    .toSorted((a, b) => a.box.top - b.box.top)
    .map(({ row }) => row);
}
