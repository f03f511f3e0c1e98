import type { Locator } from 'vitest/browser';

/** Moves the focus to an element, for tests of its keys. */
export function focusOn(locator: Locator): void {
  (locator.element() as HTMLElement).focus();
}
