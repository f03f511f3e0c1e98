import { expect, type Locator, type Page } from 'playwright/test';
import { clickAll } from './click-all.ts';

/** Returns the toasts that contain a text. */
function toastsWith(page: Page, text: string): Locator {
  return page.locator('.Toastify__toast').filter({ hasText: text });
}

/** Waits for a toast and closes it, so that a later toast with the same text is a new one. */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const toasts = toastsWith(page, text);
  await expect(toasts.first()).toBeVisible();
  // They may have closed by themselves.
  await clickAll(toasts.getByRole('button'));
  await expect(toasts).toHaveCount(0);
}
