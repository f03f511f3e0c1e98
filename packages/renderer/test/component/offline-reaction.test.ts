import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const THUMB = '👍';
const t = createTranslator('en');

test('a reaction while offline is shown immediately, survives a reload and is sent later', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const restore = server.intercept('reactToMessage', () => {
    throw new TypeError('Failed to fetch');
  });
  const path = `/chatarea/chats/${room}`;
  const { reload } = await openApp({ server, user: 'Bob', path });
  const reactions = async () => {
    const { chatroomMessages } = await actAs(server, 'Alice').call('getChatroom', {
      params: { id: room },
    });
    return chatroomMessages.flatMap((message) => message.reactions ?? []);
  };
  await messageWith('Hello Bob!').click({ button: 'right', position: { x: 12, y: 12 } });
  const name = t('reaction.react', { emoji: THUMB });
  await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
  const chip = page.getByRole('button', {
    name: t('reaction.chip', { emoji: THUMB, who: t('reaction.you') }),
  });
  await expect.element(chip).toBeVisible();
  await reload();
  await expect.element(chip).toBeVisible();
  expect(await reactions()).toEqual([]);
  restore();
  await expect.poll(reactions).toEqual([{ emoji: THUMB, usernames: ['Bob'] }]);
});
