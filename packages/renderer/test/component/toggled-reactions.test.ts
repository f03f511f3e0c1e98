import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { actAs, messagesSeenBy } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { messageMenu, messageRow, openMessageMenu, quickReaction } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf, type ShownChat } from './support/open-chat-of.ts';

const THUMB = '👍';
const hello = () => messageWith('Hello Bob!');

/** Finds the reactions to the message. */
const reactions = () => messageRow(hello()).getByRole('list').getByRole('listitem');

async function readReactions({ server, room }: ShownChat) {
  const [message] = await messagesSeenBy(server, 'Alice', room);
  return message?.reactions;
}

/** Adds a reaction to the message or takes it back, as a user on another device. */
async function reactAs(username: string, { server, room }: ShownChat, isOn = true): Promise<void> {
  const [message] = await messagesSeenBy(server, username, room);
  const body = { messageId: message?._id ?? '', emoji: THUMB, isOn };
  await actAs(server, username).call('reactToMessage', { body });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  /** Finds the reaction with the thumb by the users who chose it. */
  const chip = (who: string) => {
    const name = t('reaction.chip', { emoji: THUMB, who });
    return reactions().getByRole('button', { name, exact: true });
  };
  const quick = quickReaction(t('reaction.react', { emoji: THUMB }));
  const you = t('reaction.you');
  const both = t('reaction.youAnd', { name: 'Alice' });

  test(`a reaction is chosen and taken back with the menu or a click on it (${language})`, async () => {
    const chat = await openChatOf('Bob', { language });
    await openMessageMenu(hello());
    expect(messageMenu.getByRole('menuitemcheckbox').elements()).toHaveLength(7);
    await quick.click();
    await expect.element(messageMenu).not.toBeInTheDocument();
    await expect.element(chip(you)).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => readReactions(chat)).toEqual([{ emoji: THUMB, usernames: ['Bob'] }]);

    await reactAs('Alice', chat);
    await expect.element(chip(both)).toMatchTextContent(/2$/);
    await chip(both).click();
    await expect.element(chip('Alice')).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => readReactions(chat)).toEqual([{ emoji: THUMB, usernames: ['Alice'] }]);
    await chip('Alice').click();
    await expect.element(chip(both)).toHaveAttribute('aria-pressed', 'true');

    await openMessageMenu(hello());
    await expect.element(quick).toHaveAttribute('aria-checked', 'true');
    await quick.click();
    await expect.element(chip('Alice')).toBeVisible();
    await expect.poll(() => readReactions(chat)).toEqual([{ emoji: THUMB, usernames: ['Alice'] }]);

    // The user's other device reacts.
    await reactAs('Bob', chat);
    await expect.element(chip(both)).toBeVisible();
    await reactAs('Bob', chat, false);
    await expect.element(chip('Alice')).toBeVisible();
  });
}

test('the avatar and the buttons stay beside the bubble of a message with reactions', async () => {
  const t = createTranslator('en');
  const chat = await openChatOf('Bob');
  await reactAs('Bob', chat);
  await expect.element(reactions()).toBeVisible();
  const box = (element: Element) => element.getBoundingClientRect();
  const bubble = () => box(hello().element());
  const avatar = messageRow(hello()).getByCss('img').first();
  await expect
    .poll(() => Math.abs(box(avatar.element()).bottom - bubble().bottom))
    .toBeLessThanOrEqual(2);

  await openApp({ server: chat.server, user: 'Alice', path: chat.path });
  await expect.element(reactions()).toBeVisible();
  const remove = messageRow(hello()).getByRole('button', { name: t('message.delete') });
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
  await expect
    .poll(() => Math.abs(middle(box(remove.element())) - middle(bubble())))
    .toBeLessThanOrEqual(2);
});
