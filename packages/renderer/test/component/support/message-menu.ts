import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';

/** The open menu. */
export const messageMenu = page.getByRole('menu');

/** Finds an entry of the open menu. */
export function menuItem(name: string): Locator {
  return messageMenu.getByRole('menuitem', { name, exact: true });
}

/** Finds a quick reaction of the open menu by its text. */
export function quickReaction(name: string): Locator {
  return messageMenu.getByRole('menuitemcheckbox', { name, exact: true });
}

/** Finds the row of a message, which has the focus and the buttons. */
export function messageRow(bubble: Locator): Locator {
  return page.getByRole('article').filter({ has: bubble });
}

/** Opens the menu of a message with a right click. */
export async function openMessageMenu(bubble: Locator): Promise<void> {
  await bubble.click({ button: 'right', position: { x: 12, y: 12 } });
  await expect.element(messageMenu).toBeVisible();
}
