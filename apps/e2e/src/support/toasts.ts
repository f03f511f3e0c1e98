import { expect, type Locator, type Page } from 'playwright/test';

/** The toasts that say something. */
function toast(page: Page, text: string): Locator {
  return page.locator('.Toastify__toast').filter({ hasText: text });
}

/** Waits for a toast and closes it, so that the next of the same words is a new one. */
export async function seeToast(page: Page, text: string): Promise<void> {
  const shown = toast(page, text).first();
  await expect(shown).toBeVisible();
  await shown.getByRole('button').click();
  await expect(toast(page, text)).toHaveCount(0);
}
