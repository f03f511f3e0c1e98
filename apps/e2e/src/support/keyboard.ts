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

/** Focuses a field with Tab and replaces its text. */
export async function typeWithKeyboard(page: Page, field: Locator, text: string): Promise<void> {
  await focusWithKeyboard(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}
