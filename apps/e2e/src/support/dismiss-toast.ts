import { expect, type Locator, type Page } from 'playwright/test';

/** Returns the toasts that contain a text. */
function toastsWith(page: Page, text: string): Locator {
  return page.locator('.Toastify__toast').filter({ hasText: text });
}

/** Waits for a toast and closes it, so that a later toast with the same text is a new one. */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const shown = toastsWith(page, text).first();
  await expect(shown).toBeVisible();
  await shown.getByRole('button').click();
  await expect(toastsWith(page, text)).toHaveCount(0);
}
