import type { MemoryServer } from '@parley/memory-server';
import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp, type AppOptions, type OpenApp } from './support/open-app.ts';

const t = createTranslator('en');
const COUNT = 120;
/** How far the text that is read may move, in pixels. */
const TOLERANCE = 4;
/** How far it may if messages become the first of their groups or no longer are it, which have another distance. */
const GROUP_TOLERANCE = 32;
/** The list of messages, whatever the name of the partner. */
const list = page.getByRole('region', { name: t('room.messages', { name: '' }), exact: false });

const text = (i: number): string =>
  `Message ${i}. ${'Words that fill a line or two of the bubble. '.repeat(i % 4)}`;

/** Returns where a message is in the list, in pixels. */
const topOf = (message: Locator): number =>
  message.element().getBoundingClientRect().top - list.element().getBoundingClientRect().top;

/** Scrolls the list up to somewhere in the middle until it has measured what it shows. */
async function scrollUp(): Promise<void> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      const element = list.element();
      element.dispatchEvent(new WheelEvent('wheel'));
      // The list may go back to where it has opened when it has just opened.
      if (element.scrollTop > element.scrollHeight / 2)
        element.scrollTop = element.scrollHeight / 2;
      await nextFrames();
      const isStill = element.scrollTop === last;
      last = element.scrollTop;
      return isStill;
    })
    .toBe(true);
}

/** Returns the number of the first message that is completely visible. */
function firstVisible(): number {
  const { top } = list.element().getBoundingClientRect();
  const first = [...list.element().querySelectorAll<HTMLElement>('[data-message]')].find(
    (message) =>
      message.getBoundingClientRect().top >= top && message.innerText.startsWith('Message'),
  );
  return Number(/\d+/.exec(first?.innerText ?? '')?.[0]);
}

interface Reader extends Pick<OpenApp, 'browser'> {
  server: MemoryServer;
  room: string;
  /** Ids of the messages by their numbers. */
  ids: readonly string[];
  /** The number of the message at the top of the list. */
  number: number;
}

interface ReaderOptions extends Pick<AppOptions, 'viewport'> {
  /** Who sends a message. */
  senderOf?: (i: number) => 'Alice' | 'Bob';
  /** Sends more before a message. */
  before?: (i: number, server: MemoryServer, room: string) => Promise<void>;
}

/** Opens a long chatroom as Alice, who reads in the middle of it. */
async function openReader(options: ReaderOptions = {}): Promise<Reader> {
  const { senderOf = () => 'Bob', before, viewport } = options;
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const ids: string[] = [];
  for (let i = 0; i < COUNT; i += 1) {
    await before?.(i, server, room);
    ids.push(await sendTextAs(server, senderOf(i), room, text(i)));
  }
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  const { browser } = await openApp({
    server,
    user: 'Alice',
    path: `/chatarea/chats/${room}`,
    ...(viewport && { viewport }),
  });
  await expect.element(messageWith(`Message ${COUNT - 1}.`)).toBeInViewport();
  await scrollUp();
  return { server, browser, room, ids, number: firstVisible() };
}

/** Expects that the message at the top stays where it is while something happens. */
async function expectSteady(
  number: number,
  act: () => Promise<void>,
  tolerance = TOLERANCE,
): Promise<void> {
  const read = messageWith(`Message ${number}.`);
  const top = topOf(read);
  await act();
  await nextFrames();
  expect(Math.abs(topOf(read) - top)).toBeLessThanOrEqual(tolerance);
}

/** Edits a message near the one that is read, so that it is known when everything before has arrived. */
async function editNext({ server, ids, number }: Reader, content: string): Promise<void> {
  const body = { messageId: ids[number + 1] ?? '', content };
  await actAs(server, 'Bob').call('editMessage', { body });
  await expect.element(messageWith(content)).toBeVisible();
}

test('the text that is read stays in its place when messages above it are deleted', async () => {
  const reader = await openReader();
  const { server, ids, number } = reader;
  const bob = actAs(server, 'Bob');
  // At the top, within the rows that are rendered, far above them, and several at once.
  for (const [i, above] of [[1], [2], [6], [40], [12, 13, 25, 39, 7]].entries()) {
    await expectSteady(number, async () => {
      for (const distance of above) {
        await bob.call('deleteMessage', { body: { messageId: ids[number - distance] ?? '' } });
      }
      await editNext(reader, `Message ${number + 1}. Edited ${i}.`);
    });
  }
});

test('it stays when messages above it were deleted while the connection was lost', async () => {
  const reader = await openReader();
  const { server, browser, ids, number } = reader;
  browser.setOnline(false);
  const bob = actAs(server, 'Bob');
  for (const distance of [1, 2, 5, 8, 30]) {
    await bob.call('deleteMessage', { body: { messageId: ids[number - distance] ?? '' } });
  }
  await expectSteady(number, async () => {
    browser.setOnline(true);
    await editNext(reader, `Message ${number + 1}. Edited.`);
  });
});

test("it stays when the partner's account and all messages of it are deleted", async () => {
  const { server, number } = await openReader({
    senderOf: (i) => (i % 3 === 0 ? 'Bob' : 'Alice'),
  });
  const own = number % 3 === 0 ? number + 1 : number;
  await expectSteady(
    own,
    async () => {
      await actAs(server, 'Bob').call('deleteAccount');
      await expect.element(page.getByText(t('room.partnerDeletedNote'))).toBeVisible();
      const gone = messageWith(`Message ${number + 3 - (number % 3)}.`);
      await expect.element(gone).not.toBeInTheDocument();
    },
    GROUP_TOLERANCE,
  );
});

test('it stays when messages above it get reactions, and pictures above it are loaded', async () => {
  const picture = await createImageFile(900, 1_200);
  const reader = await openReader({
    before: async (i, server, room) => {
      if (i % 10 === 5) await sendMediaAs(server, 'Bob', room, picture);
    },
  });
  const { server, ids, number } = reader;
  await expectSteady(number, async () => {
    for (const distance of [1, 2, 9, 40]) {
      const body = { messageId: ids[number - distance] ?? '', emoji: '👍', isOn: true };
      await actAs(server, 'Bob').call('reactToMessage', { body });
    }
    await editNext(reader, `Message ${number + 1}. Edited.`);
  });
  await expectSteady(number, async () => {
    const element = list.element();
    element.dispatchEvent(new WheelEvent('wheel'));
    element.scrollTop -= 700;
    await nextFrames();
    element.dispatchEvent(new WheelEvent('wheel'));
    element.scrollTop += 700;
    await nextFrames();
  });
});

test.each([
  ['the window is snapped to half of the screen', [1280, 800], [640, 800]],
  ['the window becomes wide enough for two panes', [1023, 800], [1024, 800]],
  ['the window becomes too narrow for two panes', [1100, 800], [900, 800]],
  ['a phone is turned', [390, 740], [740, 390]],
  ['a phone is turned back', [740, 390], [390, 740]],
] as const)('it stays when %s', async (_name, [width, height], after) => {
  const { number } = await openReader({ viewport: { width, height } });
  await expectSteady(number, async () => {
    await page.viewport(after[0], after[1]);
    await nextFrames();
  });
});
