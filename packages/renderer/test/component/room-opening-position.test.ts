import { LIMITS } from '@parley/contract';
import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
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
  const leave = async () => {
    await page.getByRole('link', { name: t('room.back') }).click();
    await expectPath('/chatarea');
  };
  const reopen = async () => {
    await leave();
    await chatRowOf('Bob').click();
    await expect.element(page.getByCss('[data-message]').first()).toBeVisible();
  };
  await reopen();
  await expect.element(last).toBeInViewport();

  const row = messageWith('Line 15.');
  const top = () => row.query()?.getBoundingClientRect().top ?? -1;
  await expect
    .poll(async () => {
      await userEvent.wheel(messageList('Bob'), { delta: { y: -300 } });
      return top();
    })
    .toBeGreaterThan(200);
  // A step of the wheel may arrive in a later frame.
  let before = Number.NaN;
  await expect
    .poll(() => {
      const isStill = top() === before;
      before = top();
      return isStill;
    })
    .toBe(true);
  await reopen();
  await expect.element(row).toBeInViewport();
  await expect.poll(() => Math.abs(top() - before)).toBeLessThan(3);

  await leave();
  await sendTextAs(server, 'Bob', room, 'Something new');
  await expect.element(chatRowOf('Bob').getByText('1 unread message')).toBeInTheDocument();
  await chatRowOf('Bob').click();
  await expect.element(messageWith('Something new')).toBeInViewport();
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
