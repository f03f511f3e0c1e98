import { expect, type Locator, type Page } from 'playwright/test';

const MOST_STEPS = 60;

/** Presses a key until a control has the focus, as a person without a mouse would. */
export async function reach(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  await expect(control).toBeAttached();
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await hasFocus(control)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${control.toString()} cannot be reached with ${key}`);
}

/** Goes to a control with Tab and presses it with Enter. */
export async function press(page: Page, control: Locator): Promise<void> {
  await reach(page, control);
  await page.keyboard.press('Enter');
}

/** Goes to a field with Tab and types over what it holds. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}
