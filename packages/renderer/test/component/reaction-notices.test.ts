import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createServerWith, createChatBetween, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { openMessageMenu, quickReaction } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';

const THUMB = '👍';
const HELLO = 'Hello Bob!';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const notice = t('reaction.received', { emoji: THUMB, text: HELLO });

  async function createReactable() {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob'], 'Hi');
    const messageId = await sendTextAs(server, 'Alice', room, HELLO);
    const react = (isOn: boolean) =>
      actAs(server, 'Bob').call('reactToMessage', { body: { messageId, emoji: THUMB, isOn } });
    return { server, room, react };
  }

  test(`the sender of a message is told of a reaction until it is taken back (${language})`, async () => {
    const { server, react } = await createReactable();
    await openApp({ server, user: 'Alice', language });
    const row = chatRowOf('Bob');
    await expect.element(row).toMatchTextContent(HELLO);
    await react(true);
    const mark = row.getByTitle(notice, { exact: true });
    await expect.element(mark).toMatchTextContent(THUMB);
    await expect.element(row).toMatchTextContent(`${t('chatList.you')}${HELLO}`);
    const log = page.getByRole('log', { name: t('room.announced') });
    await expect.element(log).toMatchTextContent(notice);
    expect(row.getByText('1', { exact: true }).elements()).toEqual([]);
    await react(false);
    await expect.element(mark).not.toBeInTheDocument();
    await expect.element(row).toMatchTextContent(HELLO);
  });

  test(`an own reaction is not announced (${language})`, async () => {
    const { server, room } = await createReactable();
    await openApp({ server, user: 'Bob', language, path: `/chatarea/chats/${room}` });
    await openMessageMenu(messageWith(HELLO));
    await quickReaction(t('reaction.react', { emoji: THUMB })).click();
    const who = t('reaction.you');
    const chip = page.getByRole('button', { name: t('reaction.chip', { emoji: THUMB, who }) });
    await expect.element(chip).toBeVisible();
    await expect
      .poll(async () => (await actAs(server, 'Alice').call('listChats')).chatrooms)
      .toMatchObject([{ lastReaction: { emoji: THUMB } }]);
    await expect.element(chatRowOf('Alice')).not.toMatchTextContent(notice);
    await expect
      .element(page.getByRole('log', { name: t('room.announced') }))
      .toHaveTextContent('');
  });
}
