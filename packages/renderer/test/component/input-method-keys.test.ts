import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { createChatBetween, createServerWith, messagesSeenBy } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';
import { endCompositionInSafari, pressInComposition } from './support/press-in-composition.ts';

const t = createTranslator('en');
const TEXT = 'むずかしい';
const KEYS = ['Enter', 'Escape', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab'];
const switcher = page.getByRole('combobox', { name: t('switcher.title') });

/** Opens Alice's chatroom with Bob. She also has one with Carla. */
async function openChatroom() {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  await createChatBetween(server, ['Alice', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const path = `/chatarea/chats/${room}`;
  await openApp({ server, user: 'Alice', path });
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  return { server, room };
}

/** Presses each key of an input method in a field, and expects that the page does nothing. */
async function expectNothingFrom(field: Locator, value = TEXT): Promise<void> {
  if (value !== '') await field.fill(value);
  await expect.element(field).toHaveFocus();
  const { pathname } = location;
  for (const key of KEYS) {
    for (const press of [endCompositionInSafari, pressInComposition]) {
      press(key);
      press(key, { ctrlKey: true });
      press(key, { altKey: true });
    }
  }
  await nextFrames();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue(value);
  expect(location.pathname).toBe(pathname);
}

test('keys of an input method neither send nor edit, and the next Enter sends', async () => {
  const { server, room } = await openChatroom();
  const contents = async () => {
    const messages = await messagesSeenBy(server, 'Alice', room);
    return messages.map(({ content }) => content);
  };
  await messageBox().click();
  await expectNothingFrom(messageBox(), '');
  await expectNothingFrom(messageBox());
  expect(await contents()).toEqual(['Hello Bob!']);
  await userEvent.keyboard('{Enter}');
  await expect.poll(contents).toEqual(['Hello Bob!', TEXT]);

  await userEvent.keyboard('{ArrowUp}');
  await expect.element(messageBox()).toHaveValue(TEXT);
  const cancel = page.getByRole('button', { name: t('composer.cancelEdit') });
  await expectNothingFrom(messageBox(), 'さらに');
  await expect.element(cancel).toBeVisible();
  expect(await contents()).toEqual(['Hello Bob!', TEXT]);
  await userEvent.keyboard('{Escape}');
  await expect.element(cancel).not.toBeInTheDocument();
});

test('keys of an input method are no shortcuts, and neither choose nor close in dialogs', async () => {
  await openChatroom();
  await messageBox().click();
  endCompositionInSafari('k', { ctrlKey: true });
  pressInComposition('f', { ctrlKey: true });
  await nextFrames();
  await expect.element(page.getByCss('[data-room-search]')).not.toBeInTheDocument();
  await expect.element(switcher).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(switcher).toHaveFocus();
  await expectNothingFrom(switcher, 'l');
  await expect.element(page.getByRole('option', { selected: true })).toHaveTextContent('Carla');
  await userEvent.keyboard('{Escape}');
  await expect.element(switcher).not.toBeInTheDocument();

  await openMessageMenu(messageWith('Hello Bob!'));
  await menuItem(t('message.forward')).click();
  const field = page.getByRole('combobox', { name: t('forward.search') });
  await expect.element(field).toHaveFocus();
  await expectNothingFrom(field, 'l');
  const chosen = page.getByRole('option', { selected: true });
  await expect.element(chosen).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.element(chosen).toHaveTextContent('Carla');
});

test('keys of an input method leave searches of chats, of a chatroom and of emoji open', async () => {
  await openChatroom();
  const chats = page.getByRole('searchbox', { name: t('search.label') });
  await chats.click();
  await expectNothingFrom(chats);
  await userEvent.keyboard('{Escape}');
  await expect.element(chats).toHaveValue('');

  await userEvent.keyboard('{Control>}f{/Control}');
  const chatroom = page.getByRole('textbox', { name: t('roomSearch.title') });
  await expect.element(chatroom).toHaveFocus();
  await expectNothingFrom(chatroom);
  await userEvent.keyboard('{Escape}');
  await expect.element(chatroom).not.toBeInTheDocument();

  await page.getByRole('button', { name: t('composer.emoji') }).click();
  const emoji = page
    .getByRole('dialog', { name: t('composer.emoji') })
    .getByPlaceholder(t('emoji.search'));
  await expect.element(emoji).toBeVisible();
  await emoji.click();
  await expectNothingFrom(emoji, 'rocket');
  await expect.element(messageBox()).toHaveValue('');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageBox()).toHaveValue('🚀');
});
