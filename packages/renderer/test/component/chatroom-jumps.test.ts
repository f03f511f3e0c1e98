import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageWith, toastWith } from './support/locators.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');
const list = page.getByRole('region', { name: t('room.messages', { name: 'Bob' }) });
const toNewest = page.getByRole('button', { name: t('room.toBottom') });
const original = () => messageWith('Hello Bob!');
/** The quote in the reply to the first message. */
const quote = page.getByRole('button', {
  name: t('reply.label', { name: t('reply.you'), text: 'Hello Bob!' }),
});

/** Returns where a message is in the list, in pixels, or NaN if it is not rendered. */
const topOf = (text: string): number =>
  (messageWith(text).query()?.getBoundingClientRect().top ?? Number.NaN) -
  list.element().getBoundingClientRect().top;

/** Resolves once the list stands still. */
async function whenStill(): Promise<void> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      await nextFrames();
      const isStill = list.element().scrollTop === last;
      last = list.element().scrollTop;
      return isStill;
    })
    .toBe(true);
}

/** Scrolls the list as with a wheel. Resolves once it stands still. */
async function wheel(deltaY: number): Promise<void> {
  // Loading more messages may bring the list back to the same position.
  const scrolled = new Promise((resolve) => {
    list.element().addEventListener('scroll', resolve, { once: true });
  });
  await userEvent.wheel(list, { delta: { y: deltaY } });
  await scrolled;
  await whenStill();
}

/** Opens the chatroom of Alice and Bob, in which a reply far below the first message quotes it. */
async function openReply() {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const bob = actAs(server, 'Bob');
  const { chatroomMessages } = await bob.call('getChatroom', { params: { id: room } });
  const send = (i: number) => sendTextAs(server, i % 3 === 0 ? 'Alice' : 'Bob', room, `Line ${i}.`);
  for (let i = 1; i <= 140; i += 1) await send(i);
  await bob.call('sendMessage', {
    body: {
      chatroom: room,
      content: 'As you wrote',
      replyTo: chatroomMessages[0]?._id ?? '',
      clientId: crypto.randomUUID(),
    },
  });
  for (let i = 141; i <= 160; i += 1) await send(i);
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  const path = `/chatarea/chats/${room}`;
  const app = await openApp({ server, user: 'Alice', path, viewport: { width: 390, height: 740 } });
  await expect.element(messageWith('Line 160.')).toBeInViewport();
  await wheel(-900);
  await expect.element(quote).toBeInViewport();
  return { ...app, room };
}

test('a jump comes back to exactly where the user was reading, and the newest message is one step away', async () => {
  await openReply();
  const before = topOf('As you wrote');
  await quote.click();
  await expect.element(original()).toBeInViewport();
  await expect.element(messageWith('Line 160.')).not.toBeInTheDocument();
  await page.getByRole('button', { name: t('reply.back') }).click();
  await expect.element(quote).toBeInViewport();
  await expect.poll(() => Math.abs(topOf('As you wrote') - before)).toBeLessThan(3);

  await quote.click();
  await expect.element(original()).toBeInViewport();
  await toNewest.click();
  await expect.element(messageWith('Line 160.')).toBeInViewport();
  await expect.element(page.getByRole('button', { name: t('reply.back') })).not.toBeInTheDocument();
});

test('scrolling down from a message far up reaches the newest ones', async () => {
  await openReply();
  await quote.click();
  await expect.element(original()).toBeInViewport();
  await expect
    .poll(async () => {
      await userEvent.wheel(list, { delta: { y: 3_000 } });
      return toNewest.query() === null && messageWith('Line 160.').query()?.checkVisibility();
    })
    .toBe(true);
});

test('a chatroom that was left far up opens there again', async () => {
  await openReply();
  await quote.click();
  await expect.element(original()).toBeInViewport();
  await wheel(300);
  const before = topOf('Line 12.');
  await page.getByRole('link', { name: t('room.back') }).click();
  await expectPath('/chatarea');
  await chatRowOf('Bob').click();
  await expect.element(messageWith('Line 12.')).toBeInViewport();
  await expect.poll(() => Math.abs(topOf('Line 12.') - before)).toBeLessThan(3);
});

test('a jump without a connection says so and stays', async () => {
  const { browser } = await openReply();
  const before = topOf('As you wrote');
  browser.setOnline(false);
  await quote.click();
  await expect.element(toastWith(t('reply.jumpOffline'))).toBeVisible();
  expect(Math.abs(topOf('As you wrote') - before)).toBeLessThan(3);
  browser.setOnline(true);
});

test('a chatroom opens at its first unread message, however many follow', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (let i = 1; i <= 60; i += 1) await sendTextAs(server, 'Alice', room, `Line ${i}.`);
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  for (let i = 1; i <= 320; i += 1) await sendTextAs(server, 'Bob', room, `Unread ${i}.`);
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  await expect.element(page.getByText(t('room.newMessages'))).toBeInViewport();
  await expect.element(messageWith('Unread 1.')).toBeInViewport();
  const button = page.getByRole('button', { name: t('room.unreadButton_other', { count: 320 }) });
  await button.click();
  await expect.element(messageWith('Unread 320.')).toBeInViewport();
  await expect.element(button).not.toBeInTheDocument();
});

test('scrolling through a long chatroom shows one message after the other, up and down again', async () => {
  const COUNT = 1_000;
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (let i = 1; i <= COUNT; i += 1) await sendTextAs(server, 'Alice', room, `Line ${i}.`);
  const path = `/chatarea/chats/${room}`;
  await openApp({ server, user: 'Alice', path, viewport: { width: 390, height: 740 } });
  await expect.element(messageWith(`Line ${COUNT}.`)).toBeInViewport();
  /** Returns the number of the message in the middle of the list. */
  const middle = (): number => {
    const { left, right, top, bottom } = list.element().getBoundingClientRect();
    const found = [...list.element().querySelectorAll<HTMLElement>('[data-message]')].find(
      (each) => each.getBoundingClientRect().bottom >= (top + bottom) / 2 && left < right,
    );
    return Number(/\d+/.exec(found?.innerText ?? '')?.[0] ?? 0);
  };
  /** Whether the list can be scrolled further. Otherwise, it is at its end or waits for more messages. */
  const canScroll = (deltaY: number): boolean => {
    const { scrollTop, scrollHeight, clientHeight } = list.element();
    return deltaY < 0 ? scrollTop > 0 : scrollTop < scrollHeight - clientHeight - 1;
  };
  const scroll = async (deltaY: number, isAtEnd: () => boolean): Promise<void> => {
    let before = middle();
    while (!isAtEnd()) {
      await expect.poll(() => canScroll(deltaY) || isAtEnd()).toBe(true);
      if (isAtEnd()) break;
      await wheel(deltaY);
      const now = middle();
      // Rows are at least 30 pixels tall.
      expect(Math.abs(now - before)).toBeLessThanOrEqual(Math.abs(deltaY) / 30);
      before = now;
    }
  };
  await scroll(-3_000, () => original().query()?.checkVisibility() === true);
  await scroll(3_000, () => messageWith(`Line ${COUNT}.`).query()?.checkVisibility() === true);
});

test('a chatroom that was left far up opens there again beside another one', async () => {
  const { server, room } = await openReply();
  await createChatBetween(server, ['Carla', 'Alice']);
  await page.viewport(1280, 800);
  await expect.element(quote).toBeInViewport();
  await quote.click();
  await expect.element(original()).toBeInViewport();
  await whenStill();
  await chatRowOf('Carla').click();
  await expect.element(messageWith('Hello Alice!')).toBeVisible();
  await chatRowOf('Bob').click();
  await expect.element(original()).toBeInViewport();
  await chatRowOf('Carla').click();
  await expect.element(messageWith('Hello Alice!')).toBeVisible();
  for (let i = 1; i <= 320; i += 1) await sendTextAs(server, 'Bob', room, `Unread ${i}.`);
  await chatRowOf('Bob').click();
  await expect.element(messageWith('Unread 1.')).toBeInViewport();
});
