import { expect } from 'vitest';
import { userEvent } from 'vitest/browser';
import { messageBox } from './locators.ts';

/** Types a text and sends it with Enter, which needs a wide window. */
export async function sendWithEnter(text: string): Promise<void> {
  await messageBox().fill(text);
  await userEvent.keyboard('{Enter}');
  await expect.element(messageBox()).toHaveValue('');
}
