import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { expectMenuEntries } from './support/expect-menu-entries.ts';
import { messageWith } from './support/locators.ts';
import { menuItem, messageRow, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const QUESTION = 'Lunch on Friday? https://example.org';

test.each(TEST_LANGUAGES)(
  'a message of a kind of a newer server is shown as text with a hint (%s)',
  async (language) => {
    const t = createTranslator(language);
    const { server, room, reload } = await openChatOf('Bob', { language });
    server.storeTextsAs('poll');
    server.sendToAll({ name: 'poll-closed', payload: { chatroom: room } });
    await sendTextAs(server, 'Alice', room, QUESTION);
    const poll = messageWith(QUESTION).first();
    const log = page.getByRole('log', { name: t('room.announced') });
    await expect
      .element(log)
      .toHaveTextContent(t('room.announcement', { name: 'Alice', text: QUESTION }));
    const hint = messageRow(poll).getByText(t('message.newerKind'));
    await expect.element(hint).toBeVisible();
    await expect.element(poll.getByRole('link')).toHaveAttribute('href', 'https://example.org/');

    await openMessageMenu(poll);
    expectMenuEntries(t, ['reply', 'copyText', 'copyLink', 'select', 'details']);
    await menuItem(t('message.reply')).click();
    await sendWithEnter('Yes');
    const quote = t('reply.label', { name: 'Alice', text: QUESTION });
    await expect.element(page.getByRole('button', { name: quote, exact: true })).toBeVisible();
    // Bob's own answer is of the same kind.
    const own = messageWith('Yes').first();
    await expect.element(messageRow(own).getByText(t('message.newerKind'))).toBeVisible();
    await openMessageMenu(own);
    expectMenuEntries(t, ['reply', 'copyText', 'copyLink', 'select', 'delete', 'details']);

    // From the offline copy.
    server.intercept('getChatroom', () => new Promise(() => undefined));
    server.intercept('listChanges', () => new Promise(() => undefined));
    await reload();
    await expect.element(messageWith(QUESTION).first()).toBeVisible();
    await expect.element(messageRow(messageWith('Yes').first())).toMatchTextContent('Yes');
  },
);

test('a message of a newer server without a text shows only the hint, also in the chat list', async () => {
  const t = createTranslator('en');
  const server = createServerWith(['Alice', 'Bob']);
  server.storeTextsAs('poll');
  const room = await createChatBetween(server, ['Alice', 'Bob'], 'no text');
  for (const endpoint of ['getChatroom', 'listChats'] as const) {
    server.intercept(endpoint, async (_request, next) => {
      const text = await (await next()).text();
      return new Response(text.replaceAll('"no text"', '""'), {
        headers: { 'content-type': 'application/json' },
      });
    });
  }
  const { reload } = await openApp({ server, user: 'Bob' });
  await expect.element(page.getByText(t('message.newerKind'))).toBeVisible();
  await reload(`/chatarea/chats/${room}`);
  await expect.element(page.getByRole('article').getByText(t('message.newerKind'))).toBeVisible();
});
