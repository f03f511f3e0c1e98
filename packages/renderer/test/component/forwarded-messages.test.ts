import type { MemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, messagesSeenBy, sendTextAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageWith, toastWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { expectPath } from './support/expect-path.ts';

const messages = () => page.getByCss('[data-message]');
const images = () => messages().filter({ has: page.getByCss('[data-image]') });
const loadedImages = () => messages().getByCss('img[data-state="ready"]');
const recordings = () => messages().filter({ has: page.getByRole('slider') });
const target = (dialog: Locator, name: string) => dialog.getByRole('option', { name, exact: true });

/** Opens the dialog to forward a message with the message's menu. */
async function openForwardDialog(bubble: Locator, t: Translator): Promise<Locator> {
  await openMessageMenu(bubble);
  await menuItem(t('message.forward')).click();
  const dialog = page.getByRole('dialog', { name: t('forward.title') });
  await expect.element(dialog).toBeVisible();
  return dialog;
}

async function forward(bubble: Locator, t: Translator, ...names: string[]): Promise<void> {
  const dialog = await openForwardDialog(bubble, t);
  for (const name of names) await target(dialog, name).click();
  await dialog.getByRole('button', { name: t('forward.send'), exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
}

/** Returns what a user sees of a chatroom's messages, oldest first. */
async function describeMessages(server: MemoryServer, username: string, room: string) {
  const seen = await messagesSeenBy(server, username, room);
  return seen.map(({ kind, media, content, isForwarded = false }) => ({
    content: media?.width === undefined ? (media ? kind : content) : `${kind} ${media.width}`,
    isForwarded,
  }));
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const mark = t('message.forwarded');

  test(`a text is forwarded with the keyboard, without naming its source (${language})`, async () => {
    let carlaChatroom = '';
    const { server } = await openChatOf('Alice', { language }, async (created, room) => {
      carlaChatroom = await createChatBetween(created, ['Alice', 'Carla']);
      await sendTextAs(created, 'Bob', room, 'one :circassia:');
    });
    const path = `/chatarea/chats/${carlaChatroom}`;
    const one = messageWith('one');

    const dialog = await openForwardDialog(one, t);
    const names = () =>
      dialog
        .getByRole('option')
        .elements()
        .map(({ textContent }) => textContent);
    await expect.element(dialog.getByRole('combobox')).toHaveFocus();
    expect(names()).toEqual(['Bob', 'Carla']);
    await userEvent.keyboard('arl');
    await expect.poll(names).toEqual(['Carla']);
    await userEvent.keyboard('{Enter}');
    await expect.element(target(dialog, 'Carla')).toHaveAttribute('aria-selected', 'true');
    await expect.element(dialog.getByText(t('forward.chosen', { names: 'Carla' }))).toBeVisible();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(dialog).not.toBeInTheDocument();

    // The toast opens the other chat.
    const toast = toastWith(t('forward.done', { name: 'Carla' }));
    await toast.getByRole('button', { name: t('forward.open'), exact: true }).click();
    await expectPath(path);
    await expect.element(one).toMatchTextContent(mark);
    await expect.element(one).toHaveAttribute('data-state', 'sent');

    await openApp({ server, user: 'Carla', path, language });
    await expect.element(one).toMatchTextContent(mark);
    expect(one.getByRole('img').elements()).toHaveLength(1);
    expect(page.getByText('Bob', { exact: false }).elements()).toEqual([]);

    // A forwarded message can be forwarded again.
    await forward(one, t, 'Alice');
    await expect.poll(() => one.elements()).toHaveLength(2);
    await expect.element(one.last()).toMatchTextContent(mark);
    await expect.element(one.last()).toHaveAttribute('data-state', 'sent');
    const forwarded = { content: 'one :circassia:', isForwarded: true };
    expect((await describeMessages(server, 'Alice', carlaChatroom)).slice(1)).toEqual([
      forwarded,
      forwarded,
    ]);
  });

  test(`an image and a recording are forwarded to several chats, also to the current one (${language})`, async () => {
    let carlaChatroom = '';
    const { server } = await openChatOf('Alice', { language }, async (created, room) => {
      carlaChatroom = await createChatBetween(created, ['Alice', 'Carla']);
      await sendMediaAs(created, 'Bob', room, await createImageFile(80, 60));
      await sendMediaAs(created, 'Bob', room, createRecordingFile(2));
    });
    await expect.element(loadedImages()).toBeVisible();
    await forward(images(), t, 'Bob', 'Carla');
    await closeToast(t('forward.doneChats_other', { count: 2 }));
    await expect.poll(() => images().elements()).toHaveLength(2);
    await expect.element(images().last()).toMatchTextContent(mark);
    await forward(recordings(), t, 'Carla');
    await expect
      .poll(() => describeMessages(server, 'Carla', carlaChatroom))
      .toEqual([
        { content: 'Hello Carla!', isForwarded: false },
        { content: 'image 80', isForwarded: true },
        { content: 'audio', isForwarded: true },
      ]);

    await openApp({ server, user: 'Carla', path: `/chatarea/chats/${carlaChatroom}`, language });
    await expect.element(images()).toMatchTextContent(mark);
    await expect.element(loadedImages()).toBeVisible();
    await expect.element(recordings()).toMatchTextContent(mark);
  });
}

test('messages that are forwarded offline are sent later, unless their original is gone', async () => {
  const t = createTranslator('en');
  let carlaChatroom = '';
  const { server, browser, room } = await openChatOf('Alice', {}, async (created, id) => {
    carlaChatroom = await createChatBetween(created, ['Alice', 'Carla']);
    await sendMediaAs(created, 'Bob', id, await createImageFile(80, 60, 'kept.png'));
    await sendMediaAs(created, 'Bob', id, await createImageFile(60, 80, 'deleted.png'));
  });
  await expect.poll(() => loadedImages().elements()).toHaveLength(2);

  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  for (const bubble of [images().last(), images().first(), messageWith('Hello Bob!')]) {
    await forward(bubble, t, 'Carla');
    await closeToast(t('forward.later_one'));
  }
  const deleted = (await messagesSeenBy(server, 'Bob', room)).at(-1);
  await actAs(server, 'Bob').call('deleteMessage', { body: { messageId: deleted?._id ?? '' } });
  browser.setOnline(true);

  await expect
    .poll(() => describeMessages(server, 'Carla', carlaChatroom))
    .toEqual([
      { content: 'Hello Carla!', isForwarded: false },
      { content: 'image 80', isForwarded: true },
      { content: 'Hello Bob!', isForwarded: true },
    ]);
  await expect.element(toastWith(t('forward.originalDeleted'))).toBeVisible();
  await chatRowOf('Carla').click();
  const discard = page.getByRole('button', { name: t('message.discard'), exact: true });
  const failed = page.getByRole('alert').filter({ has: discard });
  await expect.element(failed).toMatchTextContent(t('forward.originalDeleted'));
  expect(failed.getByRole('button').elements()).toHaveLength(1);
  await expect.poll(() => messages().elements()).toHaveLength(4);
  await discard.click();
  await expect.element(failed).not.toBeInTheDocument();
  expect(messages().elements()).toHaveLength(3);
});
