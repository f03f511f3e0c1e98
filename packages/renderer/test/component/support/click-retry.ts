import type { Locator } from 'vitest/browser';

/**
 * Clicks a button that tries again, which succeeds as `mend` ends the failure at the click. The app may try again by
 * itself, and the button would be gone if the failure ended before.
 */
export async function clickRetry(button: Locator, mend: () => void): Promise<void> {
  button.element().addEventListener('click', mend, { capture: true, once: true });
  await button.click();
}
