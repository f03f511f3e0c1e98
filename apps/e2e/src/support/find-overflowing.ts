import type { Page } from 'playwright/test';

/** Returns what scrolls sideways or reaches outside the window, as the beginnings of its elements. */
export function findOverflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('body *, html')) {
      const { left, right, width } = element.getBoundingClientRect();
      const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
      const isRoot = element === document.documentElement;
      const isContent = element.matches('a, button, input, textarea, label, h1, h2, h3, p, time');
      const isOutside = width > 1 && (left < -1 || right > innerWidth + 1);
      const isTooWide = element.scrollWidth > element.clientWidth + 1;
      if (((scrolls || isRoot) && isTooWide) || (isContent && isOutside)) {
        found.push(element.outerHTML.slice(0, 120));
      }
    }
    return found;
  });
}
