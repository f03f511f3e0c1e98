import type { MemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  actAs,
  createChatBetween,
  createServerWith,
  messagesSeenBy,
  sendTextAs,
} from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { messageBox, messageWith, toastWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { menuItem, messageRow, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';
import { pickFiles } from './support/pick-files.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const HELLO = 'Hello Bob!';
const hello = () => messageWith(HELLO).first();

/** Finds the quotes in the messages of the open chatroom. */
function quote(t: Translator, text: string, name?: string): Locator {
  const label =
    name === undefined ? t('reply.labelPlain', { text }) : t('reply.label', { name, text });
  return page.getByRole('button', { name: label, exact: true });
}

/** Starts a reply with the menu of a message. */
async function startReply(t: Translator, bubble: Locator): Promise<void> {
  await openMessageMenu(bubble);
  await menuItem(t('message.reply')).click();
  await expect.element(messageBox()).toHaveFocus();
}

/** Replies to a chatroom's first message as a user. */
async function replyToFirstAs(
  server: MemoryServer,
  username: string,
  chatroom: string,
  content: string,
): Promise<void> {
  const api = actAs(server, username);
  const params = { id: chatroom };
  const { chatroomMessages } = await api.call('getChatroom', { params, query: { before: 2 } });
  const replyTo = chatroomMessages[0]?._id ?? '';
  await api.call('sendMessage', {
    body: { chatroom, content, replyTo, clientId: crypto.randomUUID() },
  });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const you = t('reply.you');
  const note = () => page.getByText(t('reply.to', { name: 'Alice' }), { exact: true });

  test(`a reply is canceled with Escape, and kept in the draft across a reload (${language})`, async () => {
    const { server, path, reload } = await openChatOf('Bob', { language });
    await startReply(t, hello());
    await expect.element(note()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(note()).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();

    await startReply(t, hello());
    await messageBox().fill('Hello back');
    await expect.poll(readPageStorage).toContain('Hello back');
    await reload();
    await expect.element(note()).toBeVisible();
    await expect.element(messageBox()).toHaveValue('Hello back');
    focusOn(messageBox());
    await userEvent.keyboard('{Enter}');
    await expect.element(quote(t, HELLO, 'Alice')).toBeVisible();
    await expect.element(note()).not.toBeInTheDocument();
    await expect.element(messageWith('Hello back')).toHaveAttribute('data-state', 'sent');

    await openApp({ server, user: 'Alice', path, language });
    await expect.element(quote(t, HELLO, you)).toBeVisible();
  });

  test(`an image replies to a text, and a text to the image (${language})`, async () => {
    const { server, room, path } = await openChatOf('Bob', { language });
    await startReply(t, hello());
    pickFiles(await createImageFile(300, 200));
    await page.getByRole('button', { name: t('composer.sendImage_one'), exact: true }).click();
    await expect.poll(() => messagesSeenBy(server, 'Alice', room)).toHaveLength(2);

    await openApp({ server, user: 'Alice', path, language });
    const image = page.getByRole('img', { name: t('message.image', { name: 'Bob' }) });
    const picture = page.getByCss('[data-message]').filter({ has: image });
    await expect.element(picture.getByRole('button', { name: HELLO, exact: false })).toBeVisible();
    await expect.element(image).toHaveAttribute('data-state', 'ready');
    await startReply(t, picture);
    await sendWithEnter('Nice');
    await expect.element(quote(t, t('reply.photo'), 'Bob')).toBeVisible();
    await expect.element(messageWith('Nice')).toHaveAttribute('data-state', 'sent');

    await openApp({ server, user: 'Bob', path, language });
    await expect.element(quote(t, t('reply.photo'), you)).toBeVisible();
  });

  test(`quotes and the reply of a draft follow edits and deletions (${language})`, async () => {
    const { server, room } = await openChatOf('Bob', { language });
    for (const text of ['one', 'two']) await replyToFirstAs(server, 'Bob', room, text);
    await expect.poll(() => quote(t, HELLO, 'Alice').elements()).toHaveLength(2);
    await startReply(t, hello());
    const draft = page.getByCss('output').filter({ has: note() });
    await expect.element(draft).toMatchTextContent(HELLO);

    const [first] = await messagesSeenBy(server, 'Alice', room);
    const alice = actAs(server, 'Alice');
    const messageId = first?._id ?? '';
    await alice.call('editMessage', { body: { messageId, content: 'Hello Robert' } });
    await expect.poll(() => quote(t, 'Hello Robert', 'Alice').elements()).toHaveLength(2);
    await expect.element(draft).toMatchTextContent('Hello Robert');

    await alice.call('deleteMessage', { body: { messageId } });
    const deleted = t('reply.deleted');
    await expect.poll(() => quote(t, deleted).elements()).toHaveLength(2);
    await expect.element(page.getByCss('output').getByText(deleted)).toBeVisible();
    expect(page.getByText('Hello Robert', { exact: false }).elements()).toEqual([]);
    await quote(t, deleted).first().click();
    await expect.element(toastWith(t('reply.jumpMissing'))).toBeVisible();
  });

  test(`a quote jumps to a message that is not loaded, and back (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    await sendMediaAs(server, 'Alice', room, await createImageFile(200, 200));
    for (let i = 1; i <= 130; i += 1) await sendTextAs(server, 'Alice', room, `number ${i}.`);
    await replyToFirstAs(server, 'Alice', room, 'as I wrote');
    await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
    await openApp({ server, user: 'Bob', path: `/chatarea/chats/${room}`, language });
    const jump = quote(t, HELLO, 'Alice');
    await expect.element(jump).toBeVisible();

    // The original is focused, and nothing newer is loaded.
    focusOn(jump);
    await userEvent.keyboard('{Enter}');
    await expect.element(messageRow(hello())).toHaveFocus();
    await expect.element(messageRow(hello())).toBeInViewport();
    await expect.element(messageWith('number 130.')).not.toBeInTheDocument();

    // A live message is not appended there and stays unread.
    await sendTextAs(server, 'Alice', room, 'Are you reading?');
    const unread = t('room.unreadButton_one', { count: 1 });
    await expect.element(page.getByRole('button', { name: unread })).toBeVisible();
    await expect.element(messageWith('Are you reading?')).not.toBeInTheDocument();

    // Images in the loaded part open.
    await page
      .getByRole('button', { name: t('message.openImage'), exact: false })
      .first()
      .click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

    // The newest message gets the focus, although the list is another one there.
    focusOn(page.getByRole('button', { name: unread }));
    await userEvent.keyboard('{Enter}');
    await expect.element(messageRow(messageWith('Are you reading?'))).toHaveFocus();

    focusOn(jump);
    await userEvent.keyboard('{Enter}');
    await expect.element(messageRow(hello())).toHaveFocus();
    await page.getByRole('button', { name: t('reply.back'), exact: true }).click();
    await expect.element(jump).toBeInViewport();
    await expect.element(messageWith('Are you reading?')).toBeVisible();
  });
}
