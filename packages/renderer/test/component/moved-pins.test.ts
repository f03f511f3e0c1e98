import { createTranslator, TEST_LANGUAGES, type TestLanguage } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf } from './support/locators.ts';
import { menuItem, messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { centerOf, dragMouse } from './support/pointer-input.ts';

const NAMES = ['Dora', 'Carl', 'Bob'];

/** Opens Alice's list with Bob, Carl and Dora pinned in this order, and with Emil. */
async function openPinned(language: TestLanguage = 'en') {
  const server = createServerWith(['Alice', 'Emil', ...NAMES], language);
  await createChatBetween(server, ['Emil', 'Alice'], 'from Emil');
  for (const name of NAMES) {
    const id = await createChatBetween(server, [name, 'Alice'], `from ${name}`);
    const body = { isPinned: true };
    await actAs(server, 'Alice').call('changeChatSettings', { params: { id }, body });
  }
  const app = await openApp({ server, user: 'Alice', language });
  await expectOrder('Bob', 'Carl', 'Dora', 'Emil');
  // The code of the moves loads after the rows.
  await expect.element(page.getByCss('[data-pin-moves]')).toBeInTheDocument();
  return { ...app, server };
}

async function expectOrder(...names: string[]): Promise<void> {
  const rows = page.getByCss('[data-chat]');
  // The place on the screen, as rows that move stay where they are in the document.
  const texts = () =>
    rows
      .elements()
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(names.map((name) => expect.stringContaining(name) as string));
}

const centerOfRow = (name: string) => centerOf(chatRowOf(name).element().getBoundingClientRect());

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`pinned chats are moved with the mouse, the menu and keys (${language})`, async () => {
    const { server } = await openPinned(language);
    const status = page.getByCss('[data-pin-moves]');
    const expectMoved = (name: string, position: number) =>
      expect.element(status).toMatchTextContent(t('pins.moved', { name, position, count: 3 }));

    await dragMouse(centerOfRow('Bob'), centerOfRow('Dora'));
    await expectOrder('Carl', 'Dora', 'Bob', 'Emil');
    await expectMoved('Bob', 3);
    // The chat below the pointer is not opened.
    expect(location.pathname).toBe('/chatarea');

    await chatRowOf('Carl').click({ button: 'right', position: { x: 20, y: 20 } });
    await expect.element(menuItem(t('pins.moveUp'))).not.toBeInTheDocument();
    await menuItem(t('pins.moveDown')).click();
    await expect.element(messageMenu).not.toBeInTheDocument();
    await expectOrder('Dora', 'Carl', 'Bob', 'Emil');
    await expectMoved('Carl', 2);

    focusOn(chatRowOf('Bob'));
    await userEvent.keyboard('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
    await expectOrder('Dora', 'Bob', 'Carl', 'Emil');
    await expectMoved('Bob', 2);
    await expect.element(chatRowOf('Bob')).toHaveFocus();
    await userEvent.keyboard('{Alt>}{Shift>}{ArrowUp}{ArrowUp}{/Shift}{/Alt}');
    await expectOrder('Bob', 'Dora', 'Carl', 'Emil');
    await expect.element(chatRowOf('Bob')).toHaveFocus();

    const stored = async () =>
      (await actAs(server, 'Alice').call('listChats')).chatrooms.map(
        ({ usernames }) => usernames[0],
      );
    await expect.poll(stored).toEqual(['Bob', 'Dora', 'Carl', 'Emil']);
    // What another device does arrives here.
    const { chatrooms } = await actAs(server, 'Alice').call('listChats');
    const chats = chatrooms.slice(0, 3).map(({ chatId }) => chatId);
    await actAs(server, 'Alice').call('orderPinnedChats', { body: { chats: chats.toReversed() } });
    await expectOrder('Carl', 'Dora', 'Bob', 'Emil');
  });
}

test('only pinned chats move, and only among each other', async () => {
  await openPinned();
  await dragMouse(centerOfRow('Emil'), centerOfRow('Bob'));
  await expectOrder('Bob', 'Carl', 'Dora', 'Emil');
  focusOn(chatRowOf('Emil'));
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
  await dragMouse(centerOfRow('Bob'), centerOfRow('Emil'));
  await expectOrder('Carl', 'Dora', 'Bob', 'Emil');
});
