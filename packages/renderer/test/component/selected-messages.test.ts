import type { MemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  actAs,
  contentsSeenBy,
  createChatBetween,
  createServerWith,
  messagesSeenBy,
  sendTextAs,
} from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { closeToast } from './support/close-toast.ts';
import { expectPath } from './support/expect-path.ts';
import { chatRowOf, messageBox, messageWith, toastWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { menuItem, messageRow, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf, type ShownChat } from './support/open-chat-of.ts';
import { BACKWARDS, reachWithKeys } from './support/reach-with-keys.ts';
import { refuse } from './support/refuse.ts';

const hello = () => messageWith('Hello Bob!');
const rowWith = (text: string) => messageRow(messageWith(text));
const selected = () => page.getByCss('article[data-selecting="on"]');

/** Finds a button of the bar of selected messages. */
function barButton(t: Translator, key: 'selection.copy' | 'message.forward' | 'message.delete') {
  const bar = page.getByRole('region', { name: t('selection.title') });
  return bar.getByRole('button', { name: t(key), exact: true });
}

async function expectCount(t: Translator, count: number): Promise<void> {
  const text = t(count === 1 ? 'selection.count_one' : 'selection.count_other', { count });
  await expect.element(page.getByRole('paragraph').filter({ hasText: text })).toBeVisible();
  await expect.element(page.getByRole('status').filter({ hasText: text })).toBeInTheDocument();
}

async function selectWithMenu(t: Translator, bubble: Locator): Promise<void> {
  await openMessageMenu(bubble);
  await menuItem(t('message.select')).click();
  await expectCount(t, 1);
}

/** Sends an album of two images with a caption as a user. */
async function sendAlbumAs(server: MemoryServer, username: string, chatroom: string) {
  const albumId = crypto.randomUUID();
  for (const width of [80, 120]) {
    await sendMediaAs(server, username, chatroom, await createImageFile(width, 90), { albumId });
  }
  await actAs(server, username).call('sendMessage', {
    body: { chatroom, content: 'At the lake', albumId, clientId: crypto.randomUUID() },
  });
}

/** Opens Bob's chatroom with a message and an album of Alice, and two messages of Bob. */
async function openMessages(language: 'en' | 'de' = 'en'): Promise<ShownChat & { carla: string }> {
  let carla = '';
  const chat = await openChatOf('Bob', { language }, async (server, room) => {
    carla = await createChatBetween(server, ['Bob', 'Carla']);
    await sendAlbumAs(server, 'Alice', room);
    await sendTextAs(server, 'Bob', room, 'See https://parley.test/');
    await sendTextAs(server, 'Bob', room, 'the newest');
  });
  await expect.element(messageWith('the newest')).toBeVisible();
  await expect.poll(() => page.getByCss('img[data-state="ready"]').elements()).toHaveLength(2);
  return { ...chat, carla };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`messages are selected with the mouse and copied (${language})`, async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => writeText.mockRestore());
    await openMessages(language);
    await messageBox().fill('A draft');
    await selectWithMenu(t, hello());
    await expect.element(messageRow(hello())).toHaveFocus();
    await expect.element(messageBox()).not.toBeInTheDocument();
    await expectNoAxeViolations('selected messages');

    // What a message contains does nothing else, and an album is one with its caption.
    await page.getByRole('link', { name: 'https://parley.test/' }).click({ force: true });
    await expectCount(t, 2);
    await page.getByCss('[data-image]').first().click({ force: true });
    await expectCount(t, 5);
    expect(selected().elements()).toHaveLength(4);
    await rowWith('At the lake').click();
    await expectCount(t, 2);
    const check = rowWith('the newest').getByRole('checkbox');
    await expect.element(check).not.toBeChecked();
    await rowWith('the newest').click({ modifiers: ['Shift'] });
    await expect.element(check).toBeChecked();
    await expectCount(t, 6);
    await rowWith('See https').click({ position: { x: 5, y: 5 } });
    await expectCount(t, 5);

    await barButton(t, 'selection.copy').click();
    await closeToast(t('selection.copied_other', { count: 5 }));
    const [image] = [t('search.image')];
    const lines = writeText.mock.calls[0]?.[0].split('\n') ?? [];
    expect(lines.map((line) => line.replace(/^\[.*?\d{4}, \d.*?\] /, ''))).toEqual([
      'Alice: Hello Bob!',
      `Alice: ${image}`,
      `Alice: ${image}`,
      'Alice: At the lake',
      'Bob: the newest',
    ]);
    await expect.element(messageBox()).toHaveValue('A draft');
    await expect.element(messageBox()).toHaveFocus();
    expect(selected().elements()).toEqual([]);
  });

  test(`messages are selected with the keyboard and forwarded in order, an album as one (${language})`, async () => {
    const { server, carla } = await openMessages(language);
    await messageBox().click();
    await reachWithKeys(rowWith('the newest'), BACKWARDS);
    await userEvent.keyboard('x');
    await expectCount(t, 1);
    await userEvent.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
    await expectCount(t, 5);
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await expectCount(t, 2);
    await userEvent.keyboard('x');
    await expectCount(t, 1);
    await userEvent.keyboard('{ArrowUp}{Enter}');
    await expectCount(t, 4);
    const name = rowWith('At the lake').element().getAttribute('aria-label');
    expect(name).toContain(t('selection.selected', { message: '' }).trim());
    await userEvent.keyboard('{ArrowUp}{ArrowUp} ');
    await expectCount(t, 5);

    await reachWithKeys(barButton(t, 'message.forward'));
    await userEvent.keyboard('{Enter}');
    const dialog = page.getByRole('dialog', { name: t('forward.title') });
    await expect.element(dialog.getByRole('combobox')).toHaveFocus();
    await expect
      .element(dialog.getByText(t('selection.messages_other', { count: 5 })))
      .toBeVisible();
    await userEvent.keyboard('arl{Enter}{Control>}{Enter}{/Control}');
    await expect.element(dialog).not.toBeInTheDocument();
    await closeToast(t('forward.done', { name: 'Carla' }));
    await expect.element(messageBox()).toHaveFocus();
    await expect.poll(() => contentsSeenBy(server, 'Carla', carla)).toHaveLength(6);
    const received = (await messagesSeenBy(server, 'Carla', carla)).slice(1);
    expect(received.map(({ content, media }) => media?.width ?? content)).toEqual([
      'Hello Bob!',
      80,
      120,
      'At the lake',
      'the newest',
    ]);
    expect(received.every(({ isForwarded }) => isForwarded)).toBe(true);
    const [none, albumId] = received.map((message) => message.albumId);
    expect(albumId).toEqual(expect.any(String));
    expect(received.map((message) => message.albumId)).toEqual([
      none,
      albumId,
      albumId,
      albumId,
      none,
    ]);

    // Escape ends the selection, not the chat.
    await reachWithKeys(messageRow(hello()), BACKWARDS);
    await userEvent.keyboard('x');
    await expectCount(t, 1);
    await userEvent.keyboard('{Escape}');
    await expect.element(messageBox()).toBeVisible();
    await expect.element(messageRow(hello())).toHaveFocus();
  });

  test(`only own messages are deleted together, after one confirmation (${language})`, async () => {
    const { server, room } = await openMessages(language);
    await selectWithMenu(t, hello());
    await rowWith('See https').click({ position: { x: 5, y: 5 } });
    await rowWith('the newest').click({ position: { x: 5, y: 5 } });
    await expectCount(t, 3);
    await barButton(t, 'message.delete').click({ force: true });
    await closeToast(t('selection.onlyOwn'));

    // What is deleted meanwhile leaves the selection.
    const [first] = await messagesSeenBy(server, 'Alice', room);
    await actAs(server, 'Alice').call('deleteMessage', { body: { messageId: first?._id ?? '' } });
    await expectCount(t, 2);
    const confirmation = page.getByRole('alertdialog', {
      name: t('message.deleteTitle_other', { count: 2 }),
    });
    const restore = server.intercept('deleteMessage', refuse);
    await barButton(t, 'message.delete').click();
    await confirmation.getByRole('button', { name: t('app.delete'), exact: true }).click();
    await closeToast(t('message.deleteFailed_other', { count: 2 }));
    await expect.element(messageWith('the newest')).toBeVisible();
    restore();

    await selectWithMenu(t, messageWith('the newest'));
    await rowWith('See https').click({ position: { x: 5, y: 5 } });
    await barButton(t, 'message.delete').click();
    await confirmation.getByRole('button', { name: t('app.delete'), exact: true }).click();
    await expect.element(messageBox()).toBeVisible();
    await expect.poll(() => contentsSeenBy(server, 'Alice', room)).toHaveLength(3);
    expect(selected().elements()).toEqual([]);
  });
}

test('messages are forwarded and deleted together offline, and those that wait are not selected', async () => {
  const t = createTranslator('en');
  const { server, browser, room, carla } = await openMessages();
  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  await messageBox().fill('It waits');
  await userEvent.keyboard('{Enter}');
  await selectWithMenu(t, messageWith('the newest'));
  await expect.element(rowWith('It waits')).toHaveAttribute('data-selecting', 'none');
  await rowWith('It waits').click({ position: { x: 5, y: 5 } });
  await rowWith('At the lake').click({ position: { x: 5, y: 5 } });
  await expectCount(t, 4);
  await barButton(t, 'message.forward').click();
  const dialog = page.getByRole('dialog', { name: t('forward.title') });
  await dialog.getByRole('option', { name: 'Carla', exact: true }).click();
  await dialog.getByRole('button', { name: t('forward.send'), exact: true }).click();
  await closeToast(t('forward.later_other'));

  await selectWithMenu(t, messageWith('the newest'));
  await rowWith('See https').click({ position: { x: 5, y: 5 } });
  await barButton(t, 'message.delete').click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('app.delete') })
    .click();
  await expect.element(messageWith('the newest')).not.toBeInTheDocument();
  browser.setOnline(true);
  await expect.poll(() => contentsSeenBy(server, 'Carla', carla)).toHaveLength(5);
  await expect
    .poll(async () => (await contentsSeenBy(server, 'Alice', room)).slice(3))
    .toEqual(['At the lake', 'It waits']);
});

test('at most 100 messages are selected, and leaving the chat ends the selection', async () => {
  const t = createTranslator('en');
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await createChatBetween(server, ['Bob', 'Carla']);
  for (let i = 1; i <= 120; i += 1) await sendTextAs(server, 'Alice', room, `number ${i}.`);
  await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  const path = `/chatarea/chats/${room}`;
  await openApp({ server, user: 'Bob', path });
  await expect.element(messageWith('number 120.')).toBeVisible();
  await messageBox().click();
  await reachWithKeys(rowWith('number 120.'), BACKWARDS);
  await userEvent.keyboard('x');
  await expectCount(t, 1);
  const limit = toastWith(t('selection.limit', { count: 100 }));
  // The list renders the rows above only as it scrolls.
  for (let press = 0; press < 400 && limit.elements().length === 0; press += 1) {
    await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
  }
  await expect.element(limit).toBeVisible();
  await expectCount(t, 100);
  await chatRowOf('Carla').click();
  await expect.element(messageWith('Hello Carla!')).toBeVisible();
  await chatRowOf('Alice').click();
  await expectPath(path);
  await expect.element(messageBox()).toBeVisible();
  expect(selected().elements()).toEqual([]);
});
