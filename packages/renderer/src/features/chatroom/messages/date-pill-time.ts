import { UI } from '@parley/contract';
import type { VirtualizerHandle } from 'virtua';
import { timeOfRow, type TimelineRow } from './timeline.ts';

/** Height of a day separator in pixels. */
const SEPARATOR_HEIGHT = 48;

/** The scroll position of the message list, in pixels. */
type ScrollPosition = Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;

/**
 * Returns the time of the topmost visible message, whose day the floating pill shows. Undefined at the bottom of the
 * list and while the day is visible at the top.
 */
export function findDatePillTime(
  { scrollTop, scrollHeight, clientHeight }: ScrollPosition,
  list: Pick<VirtualizerHandle, 'findItemIndex' | 'getItemOffset'>,
  rows: readonly TimelineRow[],
): string | undefined {
  if (scrollHeight - scrollTop - clientHeight < UI.atBottomThreshold) return undefined;
  const index = list.findItemIndex(scrollTop);
  const row = rows[index];
  if (!row) return undefined;
  const isAtDay = row.day !== undefined && scrollTop < list.getItemOffset(index) + SEPARATOR_HEIGHT;
  // The beginning of the chatroom is taller, and its day is below it.
  return isAtDay || row.isChatroomStart ? undefined : timeOfRow(row);
}
