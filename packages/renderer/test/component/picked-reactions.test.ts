import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  actAs,
  createChatBetween,
  createServerWith,
  messagesSeenBy,
  sendTextAs,
} from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import {
  menuItem,
  messageMenu,
  messageRow,
  openMessageMenu,
  quickReaction,
} from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { expectPath } from './support/expect-path.ts';

const THUMB = '👍';
const t = createTranslator('en');
const hello = () => messageWith('Hello Bob!');
const quick = (emoji: string) => quickReaction(t('reaction.react', { emoji }));

/** Returns the reactions to the message. */
function reactions(): Locator {
  return messageRow(hello()).getByRole('list').getByRole('listitem');
}

/** Returns Bob's reaction to the message. */
function ownReaction(emoji: string): Locator {
  const name = t('reaction.chip', { emoji, who: t('reaction.you') });
  return reactions().getByRole('button', { name, exact: true });
}

test('any emoji can be picked, also the custom one', async () => {
  const { server, room } = await openChatOf('Bob');
  await openMessageMenu(hello());
  await menuItem(t('reaction.more')).click();
  const picker = page.getByRole('dialog', { name: t('reaction.picker') });
  await picker.getByRole('textbox').fill('rocket');
  await picker.getByRole('gridcell', { name: 'rocket', exact: true }).click();
  await expect.element(picker).not.toBeInTheDocument();
  await expect.element(ownReaction('🚀')).toBeVisible();

  await openMessageMenu(hello());
  await menuItem(t('reaction.more')).click();
  await picker
    .getByRole('img', { name: t('emoji.circassia') })
    .first()
    .click();
  await expect.element(ownReaction(t('emoji.circassia'))).toBeVisible();
  expect(reactions().elements()).toHaveLength(2);
  const readReactions = async () => {
    const [message] = await messagesSeenBy(server, 'Alice', room);
    return message?.reactions;
  };
  await expect.poll(readReactions).toEqual([
    { emoji: '🚀', usernames: ['Bob'] },
    { emoji: ':circassia:', usernames: ['Bob'] },
  ]);
});

test('the picker for a reaction covers no message that leaves it space, in wide and narrow windows', async () => {
  const texts = Array.from({ length: 14 }, (_, i) => `Line ${i + 1}.`);
  await openChatOf('Bob', {}, async (server, room) => {
    for (const text of texts) await sendTextAs(server, 'Alice', room, text);
  });
  const picker = page.getByRole('dialog', { name: t('reaction.picker') });
  const overlap = (one: DOMRect, other: DOMRect) =>
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom;
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.viewport(width, height);
    for (const text of ['Line 4.', 'Line 9.', 'Line 14.']) {
      const message = messageWith(text);
      message.element().scrollIntoView({ block: 'nearest' });
      await openMessageMenu(message);
      await menuItem(t('reaction.more')).click();
      await expect.element(picker.getByRole('textbox')).toBeVisible();
      // It gets its place once the emoji are loaded, and is animated.
      await expect
        .poll(() => {
          const box = picker.element().getBoundingClientRect();
          const isInside =
            box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
          const parts = picker.getByRole('textbox').or(picker.getByRole('tab')).elements();
          const isCut = parts.some((part) => part.getBoundingClientRect().right > box.right);
          return [isInside, isCut, overlap(box, message.element().getBoundingClientRect())];
        })
        .toEqual([true, false, false]);
      await userEvent.keyboard('{Escape}');
      await expect.element(picker).not.toBeInTheDocument();
    }
  }
});

test('the quick reactions can be reached with the arrow keys', async () => {
  await openChatOf('Bob');
  messageRow(hello()).element().focus();
  await userEvent.keyboard('{Shift>}{F10}{/Shift}');
  await expect.element(quick(THUMB)).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(quick('❤️')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(menuItem(t('message.reply'))).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{ArrowLeft}{Enter}');
  await expect.element(messageMenu).not.toBeInTheDocument();
});

test('requests and blocked chats offer no reactions', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const id = await createChatBetween(server, ['Alice', 'Bob'], undefined, { isRequest: true });
  const { reload } = await openApp({ server, user: 'Bob', path: `/chatarea/chats/${id}` });
  await openMessageMenu(hello());
  await expect.element(messageMenu.getByRole('menuitemcheckbox')).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');

  const bob = actAs(server, 'Bob');
  await bob.call('acceptChat', { params: { id } });
  await expect
    .element(page.getByRole('button', { name: t('request.accept') }))
    .not.toBeInTheDocument();
  await openMessageMenu(hello());
  await quick(THUMB).click();
  await expect.element(ownReaction(THUMB)).toBeVisible();
  // The page shows the reaction before the server has it, which accepts none in a blocked chat.
  const readReactions = async () => {
    const [message] = await messagesSeenBy(server, 'Bob', id);
    return message?.reactions;
  };
  await expect.poll(readReactions).toEqual([{ emoji: THUMB, usernames: ['Bob'] }]);
  await bob.call('blockPartner', { params: { id } });
  // The chat is not in the list any more, but it can still be opened.
  await expectPath('/chatarea');
  await reload(`/chatarea/chats/${id}`);
  const label = t('reaction.chip', { emoji: THUMB, who: t('reaction.you') });
  await expect.element(reactions()).toMatchTextContent(label);
  await expect.element(reactions().getByRole('button')).not.toBeInTheDocument();
  await openMessageMenu(hello());
  await expect.element(messageMenu.getByRole('menuitemcheckbox')).not.toBeInTheDocument();
});
