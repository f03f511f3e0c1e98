import { expect } from 'vitest';
import { toastWith } from './locators.ts';

/** Waits for a toast and closes it, so that a later toast with the same text is a new one. */
export async function closeToast(text: string): Promise<void> {
  const toast = toastWith(text);
  await expect.element(toast).toBeVisible();
  // A click could hit the toast while it moves.
  (toast.getByCss('.toast-close').element() as HTMLElement).click();
  await expect.element(toast).not.toBeInTheDocument();
}
