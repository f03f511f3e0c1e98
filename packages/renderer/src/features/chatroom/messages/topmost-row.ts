import type { ReadingPosition } from '@parley/client';
import type { TimelineRow } from './timeline.ts';

/** Finds the first row in sight whose message the server has; `undefined` if there is none. */
export function findTopmostRow(
  scroller: HTMLElement,
  rows: readonly TimelineRow[],
): ReadingPosition | undefined {
  const { top } = scroller.getBoundingClientRect();
  const seqs = new Map(rows.map(({ key, message }) => [key, message?.seq]));
  const inSight = [...scroller.querySelectorAll<HTMLElement>('[data-key]')].flatMap((row) => {
    const box = row.getBoundingClientRect();
    const key = row.dataset['key'] ?? '';
    const seq = seqs.get(key);
    return box.bottom > top && seq !== undefined ? [{ key, seq, offset: top - box.top }] : [];
  });
  // Rows that are kept mounted out of sight may stand in another order.
  return inSight.toSorted((a, b) => a.seq - b.seq)[0];
}
