import type { MemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES, type TestLanguage } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { menuItem, messageMenu } from './support/message-menu.ts';
import { openApp, type OpenApp } from './support/open-app.ts';
import { pauseToasts } from './support/pause-toasts.ts';

const HOUR = 60 * 60_000;

interface ShownList extends OpenApp {
  /** The ids of Alice's chatrooms. */
  readonly rooms: { bob: string; carla: string };
}

/** Opens Alice's chat list, in which Bob and later Carla have written. */
async function openChatList(language: TestLanguage = 'en'): Promise<ShownList> {
  const server = createServerWith(['Alice', 'Bob', 'Carla'], language);
  const bob = await createChatBetween(server, ['Bob', 'Alice'], 'from Bob');
  const carla = await createChatBetween(server, ['Carla', 'Alice'], 'from Carla');
  const app = await openApp({ server, user: 'Alice', language });
  await expectOrder('Carla', 'Bob');
  return { ...app, rooms: { bob, carla } };
}

/** Expects the chats with these partners in the list, in order. */
async function expectOrder(...names: string[]): Promise<void> {
  const rows = page.getByCss('[data-chat]');
  const texts = () => rows.elements().map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(names.map((name) => expect.stringContaining(name) as string));
}

async function choose(row: Locator, name: string): Promise<void> {
  await row.click({ button: 'right', position: { x: 20, y: 20 } });
  await menuItem(name).click();
  await expect.element(messageMenu).not.toBeInTheDocument();
}

/** Returns the settings of Alice's chats on the server by the partner's name. */
async function readSettings(server: MemoryServer) {
  const { chatrooms } = await actAs(server, 'Alice').call('listChats');
  return Object.fromEntries(chatrooms.map(({ usernames, settings }) => [usernames[0], settings]));
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const title = t('app.pageTitle', { page: t('frame.chats') });
  const expectTitle = (expected: string) => expect.poll(() => document.title).toBe(expected);
  const expectUnread = (count: number) => expectTitle(t('app.unreadTitle', { count, title }));

  test(`a pinned chat is first, and a muted one is not counted and causes no alert (${language})`, async () => {
    const { server, rooms } = await openChatList(language);
    await choose(chatRowOf('Bob'), t('chatMenu.pin'));
    await expectOrder('Bob', 'Carla');
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.pinned'));

    await expectUnread(2);
    await choose(chatRowOf('Bob'), t('chatMenu.muteAlways'));
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.muted'));
    await expectUnread(1);
    await sendTextAs(server, 'Bob', rooms.bob, 'quietly');
    await expect.element(chatRowOf('Bob')).toMatchTextContent('quietly');
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.muted'));
    await expectUnread(1);
    await expect.element(page.getByRole('log')).not.toMatchTextContent('quietly');
    await choose(chatRowOf('Bob'), t('chatMenu.unmute'));
    await expectUnread(3);
    // Only then, other devices change it after this one.
    const stored = async () => (await readSettings(server))['Bob'];
    await expect.poll(async () => (await stored())?.mutedUntil).toBeUndefined();
    expect(await stored()).toMatchObject({ isPinned: true });

    // The list follows what the user's other devices set.
    const alice = actAs(server, 'Alice');
    const params = { id: rooms.bob };
    await alice.call('changeChatSettings', { params, body: { isPinned: false } });
    await expect.element(chatRowOf('Bob')).not.toMatchTextContent(t('chatList.pinned'));
    const mutedUntil = '9999-12-31T23:59:59.999Z';
    await alice.call('changeChatSettings', { params, body: { mutedUntil } });
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.muted'));
    await expectUnread(1);
  });

  test(`a chat is marked as read and as unread (${language})`, async () => {
    const { server, rooms } = await openChatList(language);
    await expectUnread(2);
    await choose(chatRowOf('Carla'), t('chatMenu.markRead'));
    await expectUnread(1);
    await choose(chatRowOf('Carla'), t('chatMenu.markUnread'));
    await expect.element(chatRowOf('Carla')).toMatchTextContent(t('chatList.markedUnread'));
    await expect
      .poll(() => readSettings(server))
      .toMatchObject({ Carla: { isMarkedUnread: true } });
    // Another device of the user shows it.
    await actAs(server, 'Alice').call('markAsRead', { params: { id: rooms.carla } });
    await expect.element(chatRowOf('Carla')).not.toMatchTextContent(t('chatList.markedUnread'));

    await choose(chatRowOf('Carla'), t('chatMenu.markUnread'));
    await expect.element(chatRowOf('Carla')).toMatchTextContent(t('chatList.markedUnread'));
    await chatRowOf('Carla').click();
    await expect.element(messageWith('from Carla')).toBeVisible();
    await expect.element(chatRowOf('Carla')).not.toMatchTextContent(t('chatList.markedUnread'));

    await choose(chatRowOf('Carla'), t('chatMenu.markUnread'));
    await expect.element(chatRowOf('Carla')).toMatchTextContent(t('chatList.markedUnread'));
    await chatRowOf('Carla').click();
    await expect.element(chatRowOf('Carla')).not.toMatchTextContent(t('chatList.markedUnread'));
  });

  test(`an archived chat is in a section until the partner writes (${language})`, async () => {
    const { server, rooms } = await openChatList(language);
    await actAs(server, 'Alice').call('markAsRead', { params: { id: rooms.carla } });
    await choose(chatRowOf('Bob'), t('chatMenu.pin'));
    await expectOrder('Bob', 'Carla');
    await expectUnread(1);

    pauseToasts();
    await choose(chatRowOf('Bob'), t('chatMenu.archive'));
    await expectOrder('Carla');
    await expectTitle(title);
    const name = t('chatList.archived', { count: 1 });
    const section = page.getByRole('button', { name, exact: false });
    // The archive has a count of its own, which other devices change, too.
    const archiveUnread = t('chatList.archivedUnread_one', { count: 1 });
    await expect.element(section).toMatchTextContent(archiveUnread);
    await actAs(server, 'Alice').call('markAsRead', { params: { id: rooms.bob } });
    await expect.element(section).not.toMatchTextContent(archiveUnread);
    await section.click();
    await expectOrder('Carla', 'Bob');
    await choose(chatRowOf('Bob'), t('chatMenu.markUnread'));
    await expect.element(section).toMatchTextContent(archiveUnread);
    await expectTitle(title);
    await expect.element(chatRowOf('Bob')).not.toMatchTextContent(t('chatList.pinned'));
    await section.click();
    await expectOrder('Carla');
    await page.getByRole('button', { name: t('chatMenu.undo') }).click();
    await expectOrder('Bob', 'Carla');
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.pinned'));

    await choose(chatRowOf('Bob'), t('chatMenu.archive'));
    await expectOrder('Carla');
    await expect.poll(() => readSettings(server)).toMatchObject({ Bob: { isArchived: true } });
    await sendTextAs(server, 'Bob', rooms.bob, 'I am back');
    await expectOrder('Bob', 'Carla');
  });
}

const t = createTranslator('en');

test('settings that are made offline are kept, and sent later', async () => {
  const { server, browser, rooms } = await openChatList();
  browser.setOnline(false);
  await choose(chatRowOf('Bob'), t('chatMenu.pin'));
  await choose(chatRowOf('Carla'), t('chatMenu.archive'));
  await expectOrder('Bob');
  // A message that she does not know yet takes the chat out of the archive.
  await sendTextAs(server, 'Carla', rooms.carla, 'unknown');
  browser.setOnline(true);
  await expectOrder('Bob', 'Carla');
  await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.pinned'));
  await expect.element(chatRowOf('Carla')).toMatchTextContent('unknown');
  await expect.poll(() => readSettings(server)).toMatchObject({ Bob: { isPinned: true } });
  expect((await readSettings(server))['Carla']?.isArchived).not.toBe(true);
});

test.each([
  ['chatMenu.muteHour', 1],
  ['chatMenu.mute8Hours', 8],
] as const)('a mute ends by itself (%s)', async (text, hours) => {
  await openChatList();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  await choose(chatRowOf('Bob'), t(text));
  await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.muted'));
  await vi.advanceTimersByTimeAsync(hours * HOUR - 60_000);
  await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.muted'));
  await vi.advanceTimersByTimeAsync(61_000);
  await expect.element(chatRowOf('Bob')).not.toMatchTextContent(t('chatList.muted'));
});

test('marks tell of drafts, waiting and failed messages beside the last message of a chat', async () => {
  const { server, browser } = await openChatList();
  await chatRowOf('Bob').click();
  await messageBox().fill('An unfinished thought');
  await expect.element(chatRowOf('Bob')).not.toMatchTextContent(t('chatList.draft'));
  await chatRowOf('Carla').click();
  await expect.element(markOf('Bob', t('chatList.draft'))).toBeVisible();
  await expect.element(chatRowOf('Bob')).toMatchTextContent('from Bob');
  await expect.element(chatRowOf('Bob')).not.toMatchTextContent('An unfinished thought');

  await expect.element(messageWith('from Carla')).toBeVisible();
  browser.setOnline(false);
  await messageBox().fill('too much');
  const send = page.getByRole('button', { name: t('composer.send'), exact: true });
  await send.click();
  await expect.element(markOf('Carla', t('message.waiting'))).toBeVisible();
  await expect.element(chatRowOf('Carla')).toMatchTextContent('from Carla');
  server.intercept('sendMessage', () =>
    Response.json({ code: 'quota_messages', errorMessage: 'no' }, { status: 403 }),
  );
  browser.setOnline(true);
  await expect.element(markOf('Carla', t('message.failed'))).toBeVisible();
  await expect.element(chatRowOf('Carla')).toMatchTextContent('from Carla');
});

function markOf(partner: string, label: string): Locator {
  return chatRowOf(partner).getByTitle(label, { exact: true });
}
