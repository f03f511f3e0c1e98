import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf, messageBox } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

const PARTNERS = Array.from({ length: 8 }, (_, i) => `Partner-number-${i + 1}`);

const add = page.getByRole('link', { name: t('findUser.open') }).first();

test('the chat list ends above its button, shows long names and is a single tab stop', async () => {
  const server = createServerWith(['Alice', ...PARTNERS]);
  for (const partner of PARTNERS) await createChatBetween(server, ['Alice', partner]);
  await openApp({ server, user: 'Alice', viewport: { width: 360, height: 480 } });
  const newest = chatRowOf('Partner-number-8');
  await expect.element(newest).toBeVisible();

  const rows = page.getByCss('[data-chat]');
  expect(rows.elements().length).toBeGreaterThan(3);
  const list = page.getByCss('ul:has([data-chat])').element().parentElement;
  expect(list?.getBoundingClientRect().bottom).toBeLessThanOrEqual(
    add.element().getBoundingClientRect().top,
  );

  // The time beside a name has a lighter font weight.
  const name = newest.element().querySelector('bdi')?.parentElement as HTMLElement;
  const time = newest.element().querySelector('time') as HTMLElement;
  expect(name.scrollWidth).toBeLessThanOrEqual(name.clientWidth);
  const weightOf = (element: HTMLElement) => Number(getComputedStyle(element).fontWeight);
  expect(weightOf(time)).toBeLessThan(weightOf(name));

  focusOn(newest);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(chatRowOf('Partner-number-7')).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(add).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.element(chatRowOf('Partner-number-7')).toHaveFocus();
});

test('all marks of a chat fit beside a long date at 320 pixels', async () => {
  const de = createTranslator('de');
  const viewport = { width: 320, height: 700 };
  const { reload } = await openChatOf('Alice', { viewport, language: 'de' }, async (server, id) => {
    const messageId = await sendTextAs(server, 'Alice', id, 'Bis gleich!');
    const params = { id };
    const mutedUntil = '9999-01-01T00:00:00.000Z';
    const body = { isPinned: true, mutedUntil };
    await actAs(server, 'Alice').call('changeChatSettings', { params, body });
    await actAs(server, 'Bob').call('markAsRead', { params });
    const reaction = { messageId, emoji: '👍', isOn: true };
    await actAs(server, 'Bob').call('reactToMessage', { body: reaction });
  });
  await messageBox().fill('Noch etwas');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 24 * 60 * 60_000 });
  await reload('/chatarea');
  const row = chatRowOf('Bob');
  const marks = ['chatList.muted', 'chatList.pinned', 'chatList.draft', 'message.read'] as const;
  const titles = marks.map((key) => de(key));
  titles.push(de('reaction.received', { emoji: '👍', text: 'Bis gleich!' }));
  for (const title of titles) {
    await expect.element(row.getByTitle(title, { exact: true })).toBeInViewport({ ratio: 1 });
  }
  await expect.element(row.getByCss('time')).toMatchTextContent(/\d{4}, \d{2}:\d{2}$/);
  await expect.element(row.getByCss('time')).toBeInViewport({ ratio: 1 });
  expect(row.element().scrollWidth).toBeLessThanOrEqual(row.element().clientWidth);
});
