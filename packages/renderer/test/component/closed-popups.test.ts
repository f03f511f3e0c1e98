import { createTranslator } from '@parley/texts/translator';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messageWith } from './support/locators.ts';
import { openMessageMenu } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');
const menus = page.getByRole('menu', { includeHidden: true });

/** Clicks a button as soon as a popup begins to fade out. */
function clickDuringFade(button: HTMLElement): void {
  const observer = new MutationObserver(() => {
    observer.disconnect();
    button.click();
  });
  observer.observe(document.body, { attributeFilter: ['data-ending-style'], subtree: true });
  onTestFinished(() => observer.disconnect());
}

test('a menu that fades out leaves another one open that was opened meanwhile', async () => {
  await openChatOf('Bob');
  const roomMenu = page.getByRole('button', { name: t('room.menu') }).element() as HTMLElement;
  await openMessageMenu(messageWith('Hello Bob!'));
  clickDuringFade(roomMenu);
  await userEvent.keyboard('{Escape}');
  const entry = page.getByRole('menuitem', { name: t('room.export') });
  await expect.element(entry).toBeVisible();
  await expect.poll(() => menus.elements()).toHaveLength(1);
  await expect.element(entry).toBeVisible();
  expect(document.activeElement?.closest('[role=menu]')).toBe(menus.element());
});
