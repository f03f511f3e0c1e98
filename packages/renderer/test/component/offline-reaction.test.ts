import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { messagesSeenBy } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { openMessageMenu, quickReaction } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { noResponse } from './support/no-response.ts';

const THUMB = '👍';
const t = createTranslator('en');

test('a reaction while offline is shown immediately, survives a reload and is sent later', async () => {
  const { server, room, reload } = await openChatOf('Bob');
  const restore = server.intercept('reactToMessage', noResponse);
  const reactions = async () => {
    const messages = await messagesSeenBy(server, 'Alice', room);
    return messages.flatMap((message) => message.reactions ?? []);
  };
  await openMessageMenu(messageWith('Hello Bob!'));
  await quickReaction(t('reaction.react', { emoji: THUMB })).click();
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
