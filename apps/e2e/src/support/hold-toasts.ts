import type { Page } from 'playwright/test';

/** Stops the time of a page's toasts, which close at the end of an animation, also after the page is loaded again. */
export async function holdToasts(page: Page): Promise<void> {
  const hold = (): void => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.Toastify__progress-bar { animation-play-state: paused !important; }');
    document.adoptedStyleSheets.push(sheet);
  };
  await page.addInitScript(hold);
  await page.evaluate(hold);
}
