import type { MemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES, type TestLanguage } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  actAs,
  contentsSeenBy,
  createChatBetween,
  createServerWith,
  sendTextAs,
} from './support/act-as.ts';
import { expectPath } from './support/expect-path.ts';
import { chatRowOf, messageBox, messageWith, toastWith } from './support/locators.ts';
import { menuItem, messageMenu } from './support/message-menu.ts';
import { noResponse } from './support/no-response.ts';
import { openApp, type OpenApp } from './support/open-app.ts';
import { pressWithKeys, reachWithKeys } from './support/reach-with-keys.ts';

const dialog = page.getByRole('alertdialog');
const heading = page.getByRole('heading', { level: 1 });

interface ShownList extends OpenApp {
  /** The ids of Alice's chatrooms by the partner's name. */
  readonly rooms: Readonly<Record<string, string>>;
}

/** Opens Alice's chat list, in which Bob, Carla and Dave have written, Dave last. */
async function openChatList(
  language: TestLanguage = 'en',
  options: { isNarrow?: boolean; opened?: string } = {},
): Promise<ShownList> {
  const names = ['Bob', 'Carla', 'Dave'];
  const server = createServerWith(['Alice', ...names], language);
  const rooms: Record<string, string> = {};
  for (const name of names) {
    rooms[name] = await createChatBetween(server, [name, 'Alice'], `from ${name}`);
    await actAs(server, 'Alice').call('acceptChat', { params: { id: rooms[name] } });
  }
  const { isNarrow = false, opened } = options;
  const app = await openApp({
    server,
    user: 'Alice',
    language,
    ...(isNarrow && { viewport: { width: 360, height: 740 } }),
    ...(opened !== undefined && { path: `/chatarea/chats/${rooms[opened]}` }),
  });
  return { ...app, rooms };
}

async function expectOrder(...names: string[]): Promise<void> {
  const rows = page.getByCss('[data-chat]');
  const texts = () => rows.elements().map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(names.map((name) => expect.stringContaining(name) as string));
}

async function askToDelete(row: Locator, label: string): Promise<void> {
  await row.click({ button: 'right', position: { x: 20, y: 20 } });
  await menuItem(label).click();
  await expect.element(messageMenu).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
}

const listedNames = async (server: MemoryServer, user = 'Alice') => {
  const { chatrooms } = await actAs(server, user).call('listChats');
  return chatrooms.flatMap(({ usernames }) => usernames);
};

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const button = (key: 'app.cancel' | 'chatMenu.delete') =>
    dialog.getByRole('button', { name: t(key) });

  test(`a chat is deleted in the list, for the user only, after a confirmation (${language})`, async () => {
    const { server, rooms } = await openChatList(language);
    await expectOrder('Dave', 'Carla', 'Bob');
    await askToDelete(chatRowOf('Carla'), t('chatMenu.delete'));
    await expect.element(dialog).toHaveAccessibleName(t('deleteChat.title', { name: 'Carla' }));
    await expect
      .element(dialog)
      .toHaveAccessibleDescription(t('deleteChat.text', { name: 'Carla' }));
    await expect.element(button('app.cancel')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(chatRowOf('Carla')).toHaveFocus();

    await askToDelete(chatRowOf('Carla'), t('chatMenu.delete'));
    await button('chatMenu.delete').click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expectOrder('Dave', 'Bob');
    await expect.element(chatRowOf('Bob')).toHaveFocus();
    await expect.element(toastWith(t('deleteChat.done'))).toBeVisible();
    await expect.poll(() => listedNames(server)).toEqual(['Dave', 'Bob']);
    expect(await listedNames(server, 'Carla')).toEqual(['Alice']);

    // A later message brings it back, without the earlier ones.
    await sendTextAs(server, 'Carla', rooms['Carla'] ?? '', 'later');
    await expectOrder('Carla', 'Dave', 'Bob');
    await chatRowOf('Carla').click();
    await expect.element(messageWith('later')).toBeVisible();
    expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  });

  test(`a chat is deleted in its menu with the keyboard, with what is not sent (${language})`, async () => {
    const isNarrow = language === 'de';
    const { server, rooms } = await openChatList(language, { isNarrow, opened: 'Carla' });
    await expect.element(messageWith('from Carla')).toBeVisible();
    const restore = server.intercept('sendMessage', noResponse);
    await messageBox().fill('never mind');
    await page.getByRole('button', { name: t('composer.send') }).click();
    await expect.element(messageWith('never mind')).toBeVisible();

    const menu = page.getByRole('button', { name: t('room.menu') });
    const open = async (): Promise<void> => {
      await pressWithKeys(menu);
      await reachWithKeys(menuItem(t('chatMenu.delete')), 'ArrowDown');
      await userEvent.keyboard('{Enter}');
      await expect.element(dialog).toBeVisible();
    };
    await open();
    const unsent = t('deleteChat.unsent_one', { count: 1 });
    await expect.element(dialog).toMatchTextContent(unsent);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(menu).toHaveFocus();

    await open();
    await pressWithKeys(button('chatMenu.delete'));
    await expectPath('/chatarea');
    await expectOrder('Dave', 'Bob');
    await expect.element(heading).toHaveFocus();
    await expect.element(toastWith(t('deleteChat.done'))).toBeVisible();
    restore();
    await expect.poll(() => listedNames(server)).toEqual(['Dave', 'Bob']);
    expect(await contentsSeenBy(server, 'Carla', rooms['Carla'] ?? '')).toEqual(['from Carla']);
  });
}

const t = createTranslator('en');
const addLink = page.getByRole('navigation').getByRole('link', { name: t('findUser.open') });

test('an open chat that is deleted on another device leads to the chats, and is found again', async () => {
  const { server, rooms } = await openChatList('en', { opened: 'Carla' });
  await expect.element(messageWith('from Carla')).toBeVisible();
  const params = { id: rooms['Carla'] ?? '' };
  await actAs(server, 'Alice').call('deleteChat', { params, body: { seq: 1 } });
  await expectPath('/chatarea');
  await expectOrder('Dave', 'Bob');
  expect(page.getByRole('alert').elements()).toEqual([]);

  await addLink.click();
  await page.getByLabelText(t('findUser.username')).fill('Carla');
  await userEvent.keyboard('{Enter}');
  await expectPath(`/chatarea/chats/${params.id}`);
  await expect.element(heading).toHaveTextContent('Carla');
  await expect.element(messageBox()).toBeVisible();
  await expect.element(chatRowOf('Carla')).toBeVisible();
  expect(page.getByCss('[data-message]').elements()).toEqual([]);
  expect(toastWith(t('findUser.already', { name: 'Carla' })).elements()).toEqual([]);
});

test('the last chat, of a deleted account, is deleted without a connection, and the focus stays in the list', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob'], 'to Bob');
  await actAs(server, 'Bob').call('deleteAccount');
  const { browser } = await openApp({ server, user: 'Alice' });
  const row = chatRowOf(t('room.deletedName'));
  await expect.element(row).toBeVisible();
  await askToDelete(row, t('chatMenu.delete'));
  browser.setOnline(false);
  await expect.element(dialog).toHaveAccessibleName(t('deleteChat.titleDeleted'));
  await expect.element(dialog).toHaveAccessibleDescription(t('deleteChat.textDeleted'));
  await dialog.getByRole('button', { name: t('chatMenu.delete') }).click();
  await expect.element(page.getByText(t('chatList.empty')).first()).toBeVisible();
  await expect.element(addLink).toHaveFocus();
  browser.setOnline(true);
  await expect
    .poll(() => actAs(server, 'Alice').call('listChats'))
    .toMatchObject({ chatrooms: [] });
});

test('a chat whose deletion the server refuses is back, with a toast', async () => {
  const { server } = await openChatList();
  server.intercept('deleteChat', () =>
    Response.json({ code: 'invalid_request', errorMessage: 'no' }, { status: 400 }),
  );
  await askToDelete(chatRowOf('Carla'), t('chatMenu.delete'));
  await dialog.getByRole('button', { name: t('chatMenu.delete') }).click();
  await expect.element(toastWith(t('reaction.failed'))).toBeVisible();
  await expectOrder('Dave', 'Carla', 'Bob');
});
