import { createTranslator } from '@parley/texts/translator';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { menuItem, messageRow, messageMenu, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';

const t = createTranslator('en');
const hello = () => messageWith('Hello Bob!');

/** Expects the open menu to have exactly these entries, given by the keys of their texts. */
function expectEntries(...keys: string[]): void {
  // The quick reactions are in a group.
  const entries = messageMenu.getByCss('[role="menuitem"]:not([role="group"] *)').elements();
  expect(entries.map(({ textContent }) => textContent)).toEqual(
    keys.map((key) => t(`message.${key}`)),
  );
}

/** Returns a function that returns whether the browser's own menus would have opened since its last call. */
function watchBrowserMenus(): () => boolean[] {
  let opened: boolean[] = [];
  const listener = (event: Event) => {
    opened.push(!event.defaultPrevented);
    // The menu of the browser would cover the page.
    event.preventDefault();
  };
  addEventListener('contextmenu', listener);
  onTestFinished(() => removeEventListener('contextmenu', listener));
  return () => {
    const last = opened;
    opened = [];
    return last;
  };
}

test('the menu opens with the keyboard and returns the focus', async () => {
  await openChatOf('Bob');
  const row = messageRow(hello());
  const firstReaction = messageMenu.getByRole('menuitemcheckbox').first();

  for (const key of ['{Shift>}{F10}{/Shift}', '{ContextMenu}']) {
    row.element().focus();
    await userEvent.keyboard(key);
    await expect.element(firstReaction).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(menuItem(t('message.reply'))).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(menuItem(t('message.copyText'))).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(messageMenu).not.toBeInTheDocument();
    await expect.element(row).toHaveFocus();
  }

  await userEvent.keyboard('{Tab}');
  const button = row.getByRole('button', { name: t('message.menu') });
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(firstReaction).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{End}{Enter}');
  const dialog = page.getByRole('dialog', { name: t('message.detailsTitle') });
  await expect.element(dialog).toBeVisible();
  await expect.element(messageMenu).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
});

test('the button beside a message opens and closes its menu', async () => {
  await openChatOf('Bob');
  const row = messageRow(hello());
  await row.hover();
  const button = row.getByRole('button', { name: t('message.menu') });
  await button.click();
  await expect.element(messageMenu).toBeVisible();
  await button.click();
  await expect.element(messageMenu).not.toBeInTheDocument();
  await button.click();
  await expect.element(messageMenu).toBeVisible();
  await page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) }).click();
  await expect.element(messageMenu).not.toBeInTheDocument();
});

test("links, selected text and a right click with Shift have the browser's own menu", async () => {
  const { server, room } = await openChatOf('Alice');
  await sendTextAs(server, 'Alice', room, 'https://parley.example/');
  const takeMenus = watchBrowserMenus();

  await page.getByRole('link', { name: 'https://parley.example/' }).click({ button: 'right' });
  expect(takeMenus()).toEqual([true]);
  await hello().click({ button: 'right', modifiers: ['Shift'] });
  expect(takeMenus()).toEqual([true]);
  const text = hello().getByText('Hello Bob!', { exact: false }).first();
  getSelection()?.selectAllChildren(text.element());
  await text.click({ button: 'right', position: { x: 8, y: 8 } });
  expect(takeMenus()).toEqual([true]);
  await expect.element(messageMenu).not.toBeInTheDocument();

  getSelection()?.removeAllRanges();
  await openMessageMenu(hello());
  expect(takeMenus()).toEqual([false]);
  // Another message's menu replaces it.
  await openMessageMenu(messageWith('parley.example'));
  await expect.poll(() => messageMenu.elements()).toHaveLength(1);
});

test('the menu of a request offers neither its media nor more than its text', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob'], undefined, { isRequest: true });
  await sendMediaAs(server, 'Alice', room, await createImageFile(400, 300));
  await openApp({ server, user: 'Bob', path: `/chatarea/chats/${room}` });
  await openMessageMenu(hello());
  expectEntries('copyText', 'details');
  await userEvent.keyboard('{Escape}');
  await expect.element(messageMenu).not.toBeInTheDocument();
  await openMessageMenu(messageWith(t('request.imageHidden')));
  expectEntries('details');
});

test('the menu closes when the message is deleted', async () => {
  const { server, room } = await openChatOf('Bob');
  const messageId = await sendTextAs(server, 'Alice', room, 'Never mind');
  const bubble = messageWith('Never mind');
  await openMessageMenu(bubble);
  await actAs(server, 'Alice').call('deleteMessage', { body: { messageId } });
  await expect.element(bubble).not.toBeInTheDocument();
  await expect.element(messageMenu).not.toBeInTheDocument();
});
