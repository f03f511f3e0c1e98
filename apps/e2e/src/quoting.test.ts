import type { Locator, Page } from 'playwright/test';
import { sendOverHttp } from './support/browser-user.ts';
import { message, messages, sendText } from './support/chat.ts';
import { PHONE } from './support/phone.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const HELLO = 'Hello Bob!';
const t = createTranslator('en');

/** Returns the quotes in the messages of the open chatroom. */
function quote(page: Page, text: string, name?: string): Locator {
  const label =
    name === undefined ? t('reply.labelPlain', { text }) : t('reply.label', { name, text });
  return page.getByRole('button', { name: label, exact: true });
}

/** Returns the message of a text that is not a reply. */
function original(page: Page, text: string): Locator {
  return message(page, text).first();
}

/** Sends numbered messages as Alice. */
async function fillChatroom(page: Page, count: number): Promise<void> {
  for (let i = 1; i <= count; i += 1) await sendOverHttp(page, 'Bob', `number ${i}.`);
}

test('a reply shows what it replies to, also after an edit and a deletion', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  await original(bob.page, HELLO).click({ button: 'right', position: { x: 12, y: 12 } });
  await bob.page.getByRole('menuitem', { name: t('message.reply'), exact: true }).click();
  await sendText(bob.page, 'Hello back');
  await expect(quote(bob.page, HELLO, 'Alice')).toBeVisible();
  await expect(quote(alice.page, HELLO, t('reply.you'))).toBeVisible();

  const chatroom = room.replace('chatarea', 'chatrooms');
  const body = await alice.page.request.get(`/api${chatroom}`);
  const { chatroomMessages } = (await body.json()) as { chatroomMessages: { _id: string }[] };
  const messageId = chatroomMessages[0]?._id;
  await alice.page.request.patch('/api/messages/edit', {
    data: { messageId, content: 'Hello Robert' },
  });
  await expect(quote(bob.page, 'Hello Robert', 'Alice')).toBeVisible();
  await alice.page.request.delete('/api/messages/delete', { data: { messageId } });
  for (const { page } of [bob, alice]) {
    await expect(quote(page, t('reply.deleted'))).toBeVisible();
    await expect(page.getByText('Hello Robert')).toHaveCount(0);
  }
});

test('a link to a message opens the chatroom there once @long', async ({ server, newPage }) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, {
    bobOpens: 'nothing',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await original(alice.page, HELLO).click({ button: 'right', position: { x: 12, y: 12 } });
  await alice.page.getByRole('menuitem', { name: t('message.copyLink'), exact: true }).click();
  await expect(alice.page.getByText(t('message.linkCopied'))).toBeVisible();
  const link = await alice.page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).pathname).toBe(`${room}/messages/1`);
  await fillChatroom(alice.page, 120);
  await bob.page.request.post(`/api${room.replace('chatarea', 'chatrooms')}/mark-as-read`);

  await bob.page.goto(link);
  const row = bob.page.getByRole('article').filter({ has: original(bob.page, HELLO) });
  await expect(row).toBeFocused();
  await bob.page.waitForURL(`**${room}`);
  await bob.page.reload();
  await expect(messages(bob.page).last()).toBeVisible();
  await expect(original(bob.page, HELLO)).toHaveCount(0);

  await bob.page.goto(`${room}/messages/9999`);
  await expect(bob.page.getByText(t('reply.jumpMissing'))).toBeVisible();
});

test('a swipe to the right replies, and a vertical one scrolls @long', async ({
  server,
  newPage,
}) => {
  const { bob } = await openSharedChatroom(newPage, server, PHONE);
  const box = await original(bob.page, HELLO).boundingBox();
  if (!box) throw new Error('no message');
  const session = await bob.page.context().newCDPSession(bob.page);
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0, dy = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [{ x: box.x + box.width / 2 + dx, y: box.y + box.height / 2 + dy }],
    });
  const swipe = async (dx: number, dy: number) => {
    await touch('touchStart');
    for (let i = 1; i <= 8; i += 1) await touch('touchMove', (dx * i) / 8, (dy * i) / 8);
  };
  const note = bob.page.getByText(t('reply.to', { name: 'Alice' }), { exact: true });
  await swipe(40, 0);
  await touch('touchEnd');
  await expect(note).toHaveCount(0);
  await swipe(100, 4);
  await touch('touchEnd');
  await expect(note).toBeVisible();
  const cancel = bob.page.getByRole('button', { name: t('reply.cancel'), exact: true });
  await expect(async () => {
    // Chromium makes no click of a tap a quarter of a second after a swipe, faster than a finger.
    if (await note.isVisible()) await cancel.tap();
    expect(await note.count()).toBe(0);
  }).toPass();
  await swipe(10, 90);
  await touch('touchEnd');
  await expect(note).toHaveCount(0);
});
