import { expect, type Locator, type Page } from 'playwright/test';

const MAX_STEPS = 60;

/** Presses a key until a control has the focus. */
export async function focusWithKeyboard(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  await expect(control).toBeAttached();
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await hasFocus(control)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${control.toString()} cannot be reached with ${key}`);
}

/** Focuses a control with Tab and presses Enter. */
export async function pressWithKeyboard(page: Page, control: Locator): Promise<void> {
  await focusWithKeyboard(page, control);
  await page.keyboard.press('Enter');
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}
