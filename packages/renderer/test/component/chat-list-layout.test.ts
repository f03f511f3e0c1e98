import type { MemoryServer } from '@parley/memory-server';
import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf, messageBox } from './support/locators.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');
const de = createTranslator('de');

const PARTNERS = Array.from({ length: 9 }, (_, i) => `Partner-number-${i + 1}`);
const LONG_NAME = 'Maximiliane-Schneide';
const LONG_TEXT =
  'Wir könnten uns mittags am Markt treffen, zum See hochlaufen und dort Brotzeit machen.';

const add = page.getByRole('link', { name: t('findUser.open') }).first();
const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();
const findList = (): Element => page.getByCss('ul:has([data-chat])').element();
const findFocused = (): Element => document.activeElement ?? document.body;
const lineOf = (box: DOMRect): number => (box.top + box.bottom) / 2;

/** Returns whether the floating button covers a part of an element. */
function isCovered(element: Element): boolean {
  const box = boxOf(element);
  const button = boxOf(add.element());
  return box.bottom > button.top && box.top < button.bottom && box.right > button.left;
}

test('the chat list reaches the bottom of the window, and its last row scrolls clear of the button', async () => {
  const server = createServerWith(['Alice', ...PARTNERS]);
  for (const partner of PARTNERS) await createChatBetween(server, ['Alice', partner]);
  await openApp({ server, user: 'Alice', viewport: { width: 360, height: 480 } });
  await expect.element(chatRowOf('Partner-number-9')).toBeVisible();
  const scroller = findList().parentElement as HTMLElement;
  expect(boxOf(scroller).bottom).toBe(window.innerHeight);
  // Rows pass below the button.
  const rows = page.getByCss('[data-chat]');
  expect(rows.elements().some(isCovered)).toBe(true);

  const last = chatRowOf('Partner-number-1');
  await expect
    .poll(() => {
      scroller.scrollTo({ top: scroller.scrollHeight });
      return last.elements();
    })
    .toHaveLength(1);
  scroller.scrollTo({ top: scroller.scrollHeight });
  await expect
    .poll(() => boxOf(last.element()).bottom)
    .toBeLessThanOrEqual(boxOf(add.element()).top);

  // The focus moves up and down by keys, and no row that has it is covered.
  focusOn(last);
  await userEvent.keyboard('{Home}');
  for (const partner of PARTNERS.toReversed()) {
    await expect.poll(() => findFocused().querySelector('bdi')?.textContent).toBe(partner);
    await expect.poll(() => isCovered(findFocused())).toBe(false);
    await userEvent.keyboard('{ArrowDown}');
  }
  await userEvent.keyboard('{Home}{End}');
  await expect.element(last).toHaveFocus();
  await expect.poll(() => isCovered(last.element())).toBe(false);
});

/** Fills the list of Bob with rows of every kind. */
async function fillList(server: MemoryServer): Promise<void> {
  const bob = actAs(server, 'Bob');
  const long = await createChatBetween(server, [LONG_NAME, 'Bob'], LONG_TEXT);
  await sendTextAs(server, 'Bob', long, LONG_TEXT);
  const mutedUntil = '9999-01-01T00:00:00.000Z';
  await bob.call('changeChatSettings', {
    params: { id: long },
    body: { isPinned: true, mutedUntil },
  });
  await createChatBetween(server, ['Wide', 'Bob'], LONG_TEXT);
  await createChatBetween(server, ['Short', 'Bob'], 'Ok');
  const empty = await createChatBetween(server, ['Empty', 'Bob']);
  const { chatroomMessages } = await actAs(server, 'Empty').call('getChatroom', {
    params: { id: empty },
  });
  for (const { _id: messageId } of chatroomMessages) {
    await actAs(server, 'Empty').call('deleteMessage', { body: { messageId } });
  }
  const archived = await createChatBetween(server, ['Archived', 'Bob'], LONG_TEXT);
  await bob.call('changeChatSettings', { params: { id: archived }, body: { isArchived: true } });
  const gone = await createChatBetween(server, ['Gone', 'Bob'], LONG_TEXT);
  await sendTextAs(server, 'Bob', gone, 'Bye');
  await actAs(server, 'Gone').call('deleteAccount');
  await createChatBetween(server, ['Requesting', 'Bob'], LONG_TEXT, { isRequest: true });
}

const NAMES = [LONG_NAME, 'Wide', 'Short', 'Empty', 'Archived', 'Gone', 'Requesting'];

test('all rows of the chat list have one height, and dates stay beside long names', async () => {
  const server = createServerWith(['Bob', ...NAMES], 'de');
  await fillList(server);
  const { reload } = await openApp({ server, user: 'Bob', language: 'de' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 24 * 60 * 60_000 });
  await reload('/chatarea');
  const rows = page.getByCss('[data-chat]');
  const folded = page.getByCss('nav button[aria-expanded="false"]');
  for (const scale of ['', '200%']) {
    document.documentElement.style.fontSize = scale;
    for (const width of [320, 360, 768, 1024, 1280, 1920]) {
      const look = `${width} pixels ${scale}`;
      // All rows are in view, as others are not rendered.
      await page.viewport(width, 2_000);
      await expect.element(rows.first()).toBeVisible();
      for (const section of folded.elements()) (section as HTMLElement).click();
      await expect.poll(() => rows.elements()).toHaveLength(NAMES.length);
      await nextFrames();
      const items = [...findList().children];
      expect(new Set(items.map((item) => Math.round(boxOf(item).height))).size, look).toBe(1);
      for (const row of rows.elements()) {
        expect(row.scrollWidth, look).toBeLessThanOrEqual(row.clientWidth);
        expect(row.scrollHeight, look).toBeLessThanOrEqual(row.clientHeight);
        expect(boxOf(row).height, look).toBe(boxOf(items[0] as Element).height);
        const name = row.querySelector('bdi')?.parentElement as HTMLElement;
        expect(name.clientWidth, look).toBeGreaterThan(60);
        const time = row.querySelector('time');
        if (!time) continue;
        expect(boxOf(time).right, look).toBeLessThanOrEqual(boxOf(row).right);
        // With very large texts, it is below the name.
        if (scale !== '' && width <= 360) continue;
        expect(Math.abs(lineOf(boxOf(time)) - lineOf(boxOf(name))), look).toBeLessThan(2);
        expect(boxOf(time).left, look).toBeGreaterThanOrEqual(boxOf(name).right);
      }
    }
  }
});

test('the date of a message that was found stays beside a long name', async () => {
  const server = createServerWith(['Bob', LONG_NAME], 'de');
  await createChatBetween(server, [LONG_NAME, 'Bob'], LONG_TEXT);
  const viewport = { width: 320, height: 568 };
  const { reload } = await openApp({ server, user: 'Bob', language: 'de', viewport });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 24 * 60 * 60_000 });
  await reload('/chatarea');
  await page.getByRole('searchbox').fill('Brotzeit');
  const time = page.getByCss('[data-result] time');
  await expect.element(time).toBeVisible();
  const name = page.getByCss('[data-result] bdi').getByText(LONG_NAME, { exact: true }).first();
  const distance = lineOf(boxOf(time.element())) - lineOf(boxOf(name.element()));
  expect(Math.abs(distance)).toBeLessThan(4);
  expect(boxOf(name.element()).width).toBeGreaterThan(60);
});

test('a name stays in its place when a preview becomes one or two lines long', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob'], 'Ok');
  await openApp({ server, user: 'Bob' });
  const row = chatRowOf('Alice');
  const topOfName = () => boxOf(row.element().querySelector('bdi') as Element).top;
  await expect.element(row.getByText('Ok')).toBeVisible();
  const top = topOfName();
  await sendTextAs(server, 'Alice', room, LONG_TEXT);
  const preview = row.getByText(LONG_TEXT.slice(0, 60), { exact: false });
  await expect.element(preview).toBeVisible();
  expect(boxOf(preview.element()).height).toBeGreaterThan(30);
  expect(topOfName()).toBe(top);
});

test('all marks of a chat fit beside a long date at 320 pixels, and the preview is the last message', async () => {
  const viewport = { width: 320, height: 700 };
  const { reload } = await openChatOf('Alice', { viewport, language: 'de' }, async (server, id) => {
    const messageId = await sendTextAs(server, 'Alice', id, 'Bis bald!');
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
  const time = row.getByCss('time');
  await expect.element(time).toMatchTextContent(/\d{4}, \d{2}:\d{2}$/);
  await expect.element(time).toBeInViewport({ ratio: 1 });
  const markWith = (title: string): Locator => row.getByTitle(title, { exact: true });
  const besideTime = [
    de('chatList.draft'),
    de('message.read'),
    de('reaction.received', { emoji: '👍', text: 'Bis bald!' }),
  ];
  for (const title of besideTime) {
    await expect.element(markWith(title)).toBeInViewport({ ratio: 1 });
    const distance = lineOf(boxOf(markWith(title).element())) - lineOf(boxOf(time.element()));
    expect(Math.abs(distance), title).toBeLessThan(3);
  }
  // Beside the unread count.
  for (const key of ['chatList.muted', 'chatList.pinned'] as const) {
    await expect.element(markWith(de(key))).toBeInViewport({ ratio: 1 });
  }
  await expect.element(row.getByText('Bis bald!', { exact: true })).toBeVisible();
  expect(row.element().scrollWidth).toBeLessThanOrEqual(row.element().clientWidth);
});

test('forced colors show which chat is selected, focused or unread, and the edge of the button', async () => {
  await openChatOf('Alice', { forcedColors: true }, async (server) => {
    await createChatBetween(server, ['Carla', 'Alice'], 'Hi');
  });
  const selected = chatRowOf('Bob');
  const unread = chatRowOf('Carla');
  await expect.element(selected).toHaveAttribute('aria-current', 'page');
  await expect
    .element(unread.getByText(t('chatList.unread_one', { count: 1 })))
    .toBeInTheDocument();
  const frameOf = (row: Locator) => getComputedStyle(row.element(), '::after').borderTopWidth;
  const outlineOf = (row: Locator) => getComputedStyle(row.element()).outlineStyle;
  expect([frameOf(selected), outlineOf(selected)]).toEqual(['2px', 'none']);
  expect([frameOf(unread), outlineOf(unread)]).toEqual(['0px', 'none']);
  focusOn(unread);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(selected).toHaveFocus();
  expect([frameOf(selected), outlineOf(selected)]).toEqual(['2px', 'solid']);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(unread).toHaveFocus();
  expect([frameOf(unread), outlineOf(unread)]).toEqual(['0px', 'solid']);

  const { backgroundColor: canvas } = getComputedStyle(document.documentElement);
  const badge = unread.getByText('1', { exact: true }).element().parentElement as HTMLElement;
  expect(getComputedStyle(badge).backgroundColor).not.toBe(canvas);
  const { borderTopWidth, borderTopColor } = getComputedStyle(add.element());
  expect(borderTopWidth).toBe('2px');
  expect(borderTopColor).not.toBe(canvas);
});
