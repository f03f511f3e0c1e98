import type { Page } from 'playwright/test';

/**
 * Stops the time of a page's toasts, which close at the end of an animation, also after the page is loaded again.
 * Resolves to a function that lets it go on.
 */
export async function holdToasts(page: Page): Promise<() => Promise<void>> {
  const hold = (): void => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.Toastify__progress-bar { animation-play-state: paused !important; }');
    document.adoptedStyleSheets.push(sheet);
  };
  const script = await page.addInitScript(hold);
  await page.evaluate(hold);
  return async () => {
    await script.dispose();
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
  };
}
