import { createTranslator } from '@parley/texts/translator';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messageWith } from './support/locators.ts';
import { openMessageMenu } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');
const menus = page.getByRole('menu', { includeHidden: true });

test('a menu that fades out leaves another one open that was opened meanwhile', async () => {
  const style = document.createElement('style');
  style.textContent =
    '.popup-transition[data-ending-style] { transition-duration: 1s !important; }';
  document.head.append(style);
  onTestFinished(() => style.remove());
  await openChatOf('Bob');
  await openMessageMenu(messageWith('Hello Bob!'));
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: t('room.menu') }).click();
  await expect.poll(() => menus.elements()).toHaveLength(2);
  await expect.poll(() => menus.elements()).toHaveLength(1);
  await expect.element(page.getByRole('menuitem', { name: t('room.export') })).toBeVisible();
  expect(document.activeElement?.closest('[role=menu]')).toBe(menus.element());
});
