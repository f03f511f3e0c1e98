import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { chatRowOf } from './support/locators.ts';
import { messageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { centerOf, holdFinger } from './support/pointer-input.ts';

const NAMES = ['Dora', 'Carl', 'Bob'];

async function openList(pinned: readonly string[]) {
  const server = createServerWith(['Alice', ...NAMES]);
  for (const name of NAMES) {
    const id = await createChatBetween(server, [name, 'Alice'], `from ${name}`);
    if (!pinned.includes(name)) continue;
    const body = { isPinned: true };
    await actAs(server, 'Alice').call('changeChatSettings', { params: { id }, body });
  }
  await openApp({ server, user: 'Alice', viewport: { width: 360, height: 740 } });
  await expectOrder('Bob', 'Carl', 'Dora');
  // The code of the gestures loads after the rows.
  await expect.element(page.getByCss('[data-pin-moves]')).toBeInTheDocument();
}

async function expectOrder(...names: string[]): Promise<void> {
  const rows = page.getByCss('[data-chat]');
  const texts = () => rows.elements().map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(names.map((name) => expect.stringContaining(name) as string));
}

test('a pinned chat is dragged after a long press, which opens the menu if the finger does not move', async () => {
  await openList(NAMES);
  const target = centerOf(chatRowOf('Dora').element().getBoundingClientRect());
  const drop = await holdFinger(chatRowOf('Bob'));
  await expect.element(messageMenu).toBeVisible();
  const [x, y] = centerOf(chatRowOf('Carl').element().getBoundingClientRect());
  await drop.moveTo([x, y + 30]);
  await expect.element(messageMenu).not.toBeInTheDocument();
  // The chat that follows the finger is above the one that it covers.
  const covering = () => document.elementFromPoint(x, y + 50)?.closest('[data-chat]')?.textContent;
  await expect.poll(covering).toContain('Bob');
  await drop.moveTo(target);
  await drop();
  await expectOrder('Carl', 'Dora', 'Bob');

  const lift = await holdFinger(chatRowOf('Bob'));
  await expect.element(messageMenu).toBeVisible();
  await lift();
  await expect.element(messageMenu).toBeVisible();
  await expectOrder('Carl', 'Dora', 'Bob');
  expect(location.pathname).toBe('/chatarea');
});
