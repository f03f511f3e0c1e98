import { createTranslator, TEST_LANGUAGES, type TestLanguage } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { pauseToasts } from './support/pause-toasts.ts';
import { centerOf, swipeFinger } from './support/pointer-input.ts';
import { tap } from './support/tap.ts';

const NAMES = ['Dora', 'Carl', 'Bob'];

async function openList(pinned: readonly string[], language: TestLanguage = 'en') {
  const server = createServerWith(['Alice', ...NAMES], language);
  for (const name of NAMES) {
    const id = await createChatBetween(server, [name, 'Alice'], `from ${name}`);
    if (!pinned.includes(name)) continue;
    const body = { isPinned: true };
    await actAs(server, 'Alice').call('changeChatSettings', { params: { id }, body });
  }
  await openApp({ server, user: 'Alice', language, viewport: { width: 360, height: 740 } });
  await expectOrder('Bob', 'Carl', 'Dora');
  // The code of the gestures loads after the rows.
  await expect.element(page.getByCss('[data-pin-moves]')).toBeInTheDocument();
}

async function expectOrder(...names: string[]): Promise<void> {
  const rows = page.getByCss('[data-chat]');
  const texts = () => rows.elements().map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(names.map((name) => expect.stringContaining(name) as string));
}

const yOf = (name: string) => centerOf(chatRowOf(name).element().getBoundingClientRect())[1];
const swipe = (name: string, fromX: number, toX: number) =>
  swipeFinger([fromX, yOf(name)], [toX, yOf(name)]);

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`swiping a chat archives it or marks it as read or unread (${language})`, async () => {
    await openList(['Bob'], language);
    const unread = t('chatList.unread_one', { count: 1 });
    await expect.element(chatRowOf('Carl')).toMatchTextContent(unread);
    await swipe('Carl', 100, 300);
    await expect.element(chatRowOf('Carl')).not.toMatchTextContent(unread);
    await swipe('Carl', 100, 300);
    await expect.element(chatRowOf('Carl')).toMatchTextContent(t('chatList.markedUnread'));

    pauseToasts();
    await swipe('Bob', 300, 100);
    await expectOrder('Carl', 'Dora');
    await tap(page.getByRole('button', { name: t('chatMenu.undo') }));
    await expectOrder('Bob', 'Carl', 'Dora');
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('chatList.pinned'));
    expect(location.pathname).toBe('/chatarea');
  });
}

const t = createTranslator('en');

test('short and vertical movements and those from the edges do nothing', async () => {
  await openList([]);
  const unread = t('chatList.unread_one', { count: 1 });
  await swipe('Bob', 150, 200);
  await swipe('Bob', 10, 200);
  await swipe('Bob', 350, 150);
  await swipeFinger([150, yOf('Bob')], [230, yOf('Dora')]);
  await expectOrder('Bob', 'Carl', 'Dora');
  await expect.element(chatRowOf('Bob')).toMatchTextContent(unread);
  await expect.element(messageMenu).not.toBeInTheDocument();
  // What follows acts, so the others have had their time.
  await swipe('Bob', 300, 100);
  await expectOrder('Carl', 'Dora');
});
