import { LIMITS } from '@parley/contract';
import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { holdSizes } from './support/hold-sizes.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { nextFrames } from './support/next-frames.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const t = createTranslator('en');
const toBottom = page.getByRole('button', { name: t('room.toBottom') });

/** Creates the chatroom of Alice and Bob with messages of Alice. */
async function createLongChat(contents: readonly string[]) {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (const content of contents) await sendTextAs(server, 'Alice', room, content);
  return { server, room, path: `/chatarea/chats/${room}` };
}

function lines(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Line ${i + 1}.`);
}

/** Finds the list of messages of the chatroom with a partner. */
function messageList(partner: string) {
  return page.getByRole('region', { name: t('room.messages', { name: partner }) });
}

const topOf = (message: Locator): number =>
  message.query()?.getBoundingClientRect().top ?? Number.NaN;

/**
 * Scrolls the list of Bob's chatroom up by two thirds, as with a wheel, which would scroll in a later frame. Resolves to
 * the position of a message that is visible then.
 */
async function scrollUpTo(message: Locator): Promise<number> {
  let last = Number.NaN;
  await expect
    .poll(async () => {
      const list = messageList('Bob').element();
      list.dispatchEvent(new WheelEvent('wheel'));
      list.scrollTop = list.scrollHeight / 3;
      // The list measures the rows that it shows now, and may go back to where it has opened when it has just opened.
      await nextFrames(5);
      const isStill = topOf(message) === last;
      last = topOf(message);
      return isStill;
    })
    .toBe(true);
  await expect.element(message).toBeInViewport();
  await expect.element(toBottom).toBeVisible();
  return last;
}

async function leaveChatroom(): Promise<void> {
  await page.getByRole('link', { name: t('room.back') }).click();
  await expectPath('/chatarea');
}

/** Opens a chatroom from the list. Resolves while it shows no messages yet, until the returned function is called. */
async function openUnmeasured(partner: string): Promise<() => void> {
  await expect.element(chatRowOf(partner)).toBeVisible();
  const release = holdSizes();
  // A pointer would wait for frames.
  (chatRowOf(partner).element() as HTMLElement).click();
  await expect.element(messageList(partner)).toBeInTheDocument();
  expect(page.getByCss('[data-message]').elements()).toEqual([]);
  return release;
}

test('the end of a chatroom stays visible while the composer changes its height', async () => {
  const { server, path } = await createLongChat(lines(30));
  await openApp({ server, user: 'Alice', path });
  await expect.element(messageWith('Line 30.')).toBeInViewport();
  const expectAtEnd = async (what: string) => {
    const distance = () => {
      const { scrollHeight, scrollTop, clientHeight } = messageList('Bob').element();
      return scrollHeight - scrollTop - clientHeight;
    };
    // The list scrolls in the frames after the change.
    await expect.poll(distance, { message: what }).toBeLessThan(2);
    await expect.element(toBottom).not.toBeInTheDocument();
  };
  const tooLong = page.getByText(/too long/);
  const listHeight = () => messageList('Bob').element().clientHeight;
  const before = listHeight();
  await messageBox().fill(`${'A line\n'.repeat(20)}${'x'.repeat(LIMITS.messageMax - 140)}`);
  await expect.poll(listHeight).toBeLessThan(before - 100);
  await expectAtEnd('a text of maximum height');
  await userEvent.keyboard('{End}yz');
  await expect.element(page.getByText('2 characters too long')).toBeVisible();
  await expectAtEnd('a text that is too long');
  await userEvent.keyboard('{Backspace}{Backspace}');
  await expect.element(tooLong).not.toBeInTheDocument();
  await expectAtEnd('a text that is short enough again');
  await messageBox().fill('');
  await expect.poll(listHeight).toBe(before);
  await expectAtEnd('an empty box');
});

test('a chatroom opens at the position where the user left it', async () => {
  const { server, room, path } = await createLongChat(lines(40));
  const viewport = { width: 390, height: 740 };
  await openApp({ server, user: 'Alice', path, viewport });
  const last = messageWith('Line 40.');
  await expect.element(last).toBeInViewport();
  const reopen = async () => {
    await leaveChatroom();
    await chatRowOf('Bob').click();
    await expect.element(page.getByCss('[data-message]').first()).toBeVisible();
  };
  await reopen();
  await expect.element(last).toBeInViewport();

  const row = messageWith('Line 15.');
  const before = await scrollUpTo(row);
  await reopen();
  await expect.element(row).toBeInViewport();
  await expect.poll(() => Math.abs(topOf(row) - before)).toBeLessThan(3);

  await leaveChatroom();
  await sendTextAs(server, 'Bob', room, 'Something new');
  await expect.element(chatRowOf('Bob').getByText('1 unread message')).toBeInTheDocument();
  await chatRowOf('Bob').click();
  await expect.element(messageWith('Something new')).toBeInViewport();
});

test('a chatroom that is left before it shows its messages keeps its position', async () => {
  const { server, path } = await createLongChat(lines(40));
  await openApp({ server, user: 'Alice', path, viewport: { width: 390, height: 740 } });
  const row = messageWith('Line 15.');
  await expect.element(messageWith('Line 40.')).toBeInViewport();
  const before = await scrollUpTo(row);
  await leaveChatroom();
  const release = await openUnmeasured('Bob');
  await leaveChatroom();
  release();
  await chatRowOf('Bob').click();
  await expect.element(row).toBeInViewport();
  await expect.poll(() => Math.abs(topOf(row) - before)).toBeLessThan(3);
});

test('messages stay unread that a slow device has not shown yet', async () => {
  const { server, room } = await createLongChat([]);
  await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Bob', viewport: { width: 390, height: 740 } });
  for (let i = 1; i <= 6; i += 1) {
    await sendTextAs(server, 'Alice', room, `Unread number ${i}.${'\nAnother line'.repeat(20)}`);
  }
  await expect.element(chatRowOf('Alice').getByText('6 unread messages')).toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const release = await openUnmeasured('Alice');
  // Longer than the list waits for the sizes of its rows.
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  release();
  await expect.element(messageWith('Unread number 1.')).toBeInViewport();
  const button = page.getByRole('button', { name: '6 unread messages. Tap to see.' });
  await expect.element(button).toBeVisible();
});

test('a chatroom opens at its first unread message', async () => {
  const { server, room, path } = await createLongChat([]);
  await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Bob' });
  for (let i = 1; i <= 60; i += 1) {
    await sendTextAs(server, 'Alice', room, `Unread number ${i}.`);
  }
  await expect.element(chatRowOf('Alice').getByText('60 unread messages')).toBeInTheDocument();
  await chatRowOf('Alice').click();
  await expectPath(path);
  await expect.element(page.getByText(t('room.newMessages'))).toBeInViewport();
  await expect.element(messageWith('Unread number 1.')).toBeInViewport();
  const button = page.getByRole('button', { name: '60 unread messages. Tap to see.' });
  focusOn(button);
  await userEvent.keyboard('{Enter}');
  const newest = messageWith('Unread number 60.');
  await expect.element(newest).toBeInViewport();
  await expect.element(button).not.toBeInTheDocument();
  // The button took the focus with it.
  await expect.element(messageRow(newest)).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(messageRow(messageWith('Unread number 59.'))).toHaveFocus();
  await expect.poll(() => document.title).toBe(t('app.pageTitle', { page: 'Alice' }));
});

test('a chatroom without unread messages opens at its newest message and stays there', async () => {
  const contents = lines(30).map((line, i) => `${line} `.repeat(1 + ((i + 1) % 5) * 12));
  const { server, room, path } = await createLongChat(contents);
  await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Bob', path });
  await expect.element(messageWith('Line 30.')).toBeInViewport();
  await expect.element(toBottom).not.toBeInTheDocument();
});

test('a wheel that scrolls sideways leaves the list at its end', async () => {
  const { server, room, path } = await createLongChat(lines(60));
  await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Bob', path });
  await expect.element(messageWith('Line 60.')).toBeVisible();
  await nextFrames();
  const list = messageList('Alice').element();
  list.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, shiftKey: true }));
  list.dispatchEvent(new WheelEvent('wheel', { deltaX: -120, deltaY: -2 }));
  for (let i = 1; i <= 3; i += 1) await sendTextAs(server, 'Alice', room, `New ${i}.`);
  await expect.element(messageWith('New 3.')).toBeInViewport();
});

test.each([
  ['when the chatroom opens', undefined],
  ['when a message is edited', 'edited'],
  ['when a message arrives', 'arrived'],
  ['when the composer changes its height', 'resized'],
] as const)('a turn of the wheel is not undone %s', async (_when, change) => {
  const { server, room, path } = await createLongChat(lines(120));
  const bob = actAs(server, 'Bob');
  const { chatroomMessages } = await bob.call('getChatroom', { params: { id: room } });
  await bob.call('markAsRead', { params: { id: room } });
  await openApp({ server, user: 'Bob', path });
  await expect.element(messageWith('Line 120.')).toBeVisible();
  if (change) await nextFrames(20);
  const list = messageList('Alice').element();
  // A browser dispatches the event of the wheel before it scrolls.
  list.dispatchEvent(new WheelEvent('wheel', { deltaY: -900 }));
  const content = 'Meanwhile.';
  if (change === 'edited') {
    const messageId = chatroomMessages.at(-1)?._id ?? '';
    await actAs(server, 'Alice').call('editMessage', { body: { messageId, content } });
    await expect.element(messageWith(content)).toBeInTheDocument();
  }
  if (change === 'arrived') {
    await sendTextAs(server, 'Alice', room, content);
    await expect
      .poll(() => list.scrollHeight - list.scrollTop - list.clientHeight)
      .toBeGreaterThan(0);
  }
  if (change === 'resized') {
    await userEvent.fill(messageBox(), 'First\nSecond\nThird');
    await nextFrames(2);
  }
  const top = list.scrollTop - 900;
  list.scrollTop = top;
  await nextFrames(30);
  // Rows above are measured, which changes the position but not what is visible.
  const distance = list.scrollHeight - list.scrollTop - list.clientHeight;
  expect(distance).toBeGreaterThan(700);
});
