import type { Page } from 'playwright/test';

/** Has a browser keep no chats, so that each screen shows what the server says. Drafts are kept all the same. */
export async function keepNoChats(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('parley.offline-copy', 'false'));
  await page.reload();
}
