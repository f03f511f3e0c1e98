import { expect } from 'vitest';
import type { Locator } from 'vitest/browser';
import { centerOf, tapAt } from './pointer-input.ts';

/**
 * Taps an element as a finger does, once it rests. Only for tests in files that end in `.touch.test.ts`.
 * @param block where to scroll it to: the center is away from what floats at the ends of a list
 */
export async function tap(
  locator: Locator,
  block: ScrollLogicalPosition = 'nearest',
): Promise<void> {
  await expect.element(locator).toBeVisible();
  let last: DOMRect | undefined;
  await expect
    .poll(() => {
      // A chatroom that is still being opened scrolls to its first unread message after this.
      locator.element().scrollIntoView({ block });
      const box = locator.element().getBoundingClientRect();
      const rests = box.x === last?.x && box.y === last.y;
      last = box;
      const [x, y] = centerOf(box);
      return rests && locator.element().contains(document.elementFromPoint(x, y));
    })
    .toBe(true);
  await tapAt(centerOf(locator.element().getBoundingClientRect()));
}
