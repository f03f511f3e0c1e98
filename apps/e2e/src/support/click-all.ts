import type { Locator } from 'playwright/test';

/**
 * Clicks all elements that a locator finds now, also none. Playwright's `click` would wait for those that have
 * disappeared meanwhile.
 */
export function clickAll(locator: Locator): Promise<void> {
  return locator.evaluateAll((elements: HTMLElement[]) => {
    for (const element of elements) element.click();
  });
}
