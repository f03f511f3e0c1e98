import { expect } from 'vitest';
import { userEvent, type Locator } from 'vitest/browser';

const MAX_STEPS = 60;

/** The key that reaches controls before the focused one. */
export const BACKWARDS = 'Shift>}{Tab}{/Shift';

/** Presses a key until a control has the focus. */
export async function reachWithKeys(control: Locator, key = 'Tab'): Promise<void> {
  await expect.element(control).toBeInTheDocument();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (control.element() === document.activeElement) return;
    await userEvent.keyboard(`{${key}}`);
  }
  throw new Error(`${control.selector} cannot be reached with ${key}`);
}

/** Moves the focus to a control with Tab and presses Enter. */
export async function pressWithKeys(control: Locator): Promise<void> {
  await reachWithKeys(control);
  await userEvent.keyboard('{Enter}');
}
