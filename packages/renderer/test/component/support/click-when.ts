import { onTestFinished } from 'vitest';

/**
 * Clicks an element at the moment when the page contains what a selector of attributes or classes finds, such as a
 * popup that begins to fade out. A test that waits for it instead may come too late.
 */
export function clickWhen(selector: string, element: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return;
    observer.disconnect();
    element.click();
  });
  observer.observe(document.body, { attributes: true, subtree: true });
  onTestFinished(() => observer.disconnect());
}
