import type { Page } from 'playwright/test';

/** Turns off the offline copy, so that each screen depends on the server's responses. Drafts are still stored. */
export async function disableOfflineCopy(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('parley.offline-copy', 'false'));
  await page.reload();
}
