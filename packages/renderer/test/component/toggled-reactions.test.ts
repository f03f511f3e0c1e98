import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { actAs, messagesSeenBy } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { messageMenu, messageRow, openMessageMenu, quickReaction } from './support/message-menu.ts';
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

test('reactions hang on the edge of a bubble, cover neither its time nor its buttons, and move little', async () => {
  const chat = await openChatOf('Alice');
  const box = (element: Element) => element.getBoundingClientRect();
  const row = () => box(messageRow(hello()).element());
  await expect.element(hello()).toBeVisible();
  const before = row().height;
  await reactAs('Bob', chat);
  await expect.element(reactions()).toBeVisible();
  const chip = () => box(reactions().element());
  const bubble = () => box(hello().element());
  // Until the animation ends.
  await expect.poll(() => chip().top).toBeLessThan(bubble().bottom - 4);
  await expect.poll(() => row().height - before).toBeLessThan(chip().height);
  expect(chip().bottom).toBeGreaterThan(bubble().bottom);
  expect(chip().left).toBeGreaterThan(bubble().left);
  for (const part of hello().element().querySelectorAll('time, button > svg')) {
    const { bottom } = box(part);
    expect(bottom).toBeLessThanOrEqual(chip().top + 0.5);
  }
});
