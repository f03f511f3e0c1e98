import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { clickWhen } from './support/click-when.ts';
import { messageWith } from './support/locators.ts';
import { openMessageMenu } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');
const menus = page.getByRole('menu', { includeHidden: true });

test('a menu that fades out leaves another one open that was opened meanwhile', async () => {
  await openChatOf('Bob');
  const roomMenu = page.getByRole('button', { name: t('room.menu') }).element() as HTMLElement;
  await openMessageMenu(messageWith('Hello Bob!'));
  clickWhen('.popup-transition[data-ending-style]', roomMenu);
  await userEvent.keyboard('{Escape}');
  const entry = page.getByRole('menuitem', { name: t('room.export') });
  await expect.element(entry).toBeVisible();
  await expect.poll(() => menus.elements()).toHaveLength(1);
  await expect.element(entry).toBeVisible();
  expect(document.activeElement?.closest('[role=menu]')).toBe(menus.element());
});
