import { chatRow, message } from './support/chat.ts';
import { clickAll } from './support/click-all.ts';
import { disableOfflineCopy } from './support/disable-offline-copy.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

const RESPONSES_WITHOUT_CHATROOM = [
  ['an errorMessage', { json: { errorMessage: 'No such chatroom.' } }],
  ['an errorMessage beside data', { json: { errorMessage: 'No.', chatroomMessages: [] } }],
  ['no data', { body: '' }],
  ['null', { json: null }],
  ['an empty object', { json: {} }],
  ['invalid messages', { json: { chatroomMessages: [{}], currentUsername: 'Bob' } }],
  ['a page of HTML', { body: '<!doctype html><p>Log in to the Wi-Fi', contentType: 'text/html' }],
  ['a truncated response', { body: '{"chatroomMessages":[', contentType: 'application/json' }],
] as const;

test('a response without a chatroom leads to the 404 page', async ({ server, newPage }) => {
  const { bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const { page } = bob;
  const chatroomUrl = '**/api/chatrooms/chats/*';
  for (const [what, response] of RESPONSES_WITHOUT_CHATROOM) {
    await page.route(chatroomUrl, (route) => route.fulfill({ status: 200, ...response }));
    await chatRow(page, 'Alice').click();
    await expect(page, what).toHaveURL((url) => url.pathname === '/404');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t('notFound.title'));
    await page.unroute(chatroomUrl);
    await page.goto('/chatarea');
  }
  await page.goto(room);
  await expect(message(page, 'Hello Bob!')).toBeVisible();
});

test('a failure of the server or the network keeps the screen and offers a retry', async ({
  server,
  newPage,
}) => {
  const { bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const { page } = bob;
  await disableOfflineCopy(page);
  const chatroomUrl = '**/api/chatrooms/chats/*';
  for (const status of [500, 503, 429, 0]) {
    await page.route(chatroomUrl, (route) =>
      status === 0
        ? route.abort()
        : route.fulfill({ status, json: { errorMessage: 'Not now.', code: 'internal' } }),
    );
    await page.goto(room);
    await expect(page.getByText(t('room.error'))).toBeVisible();
    const reason = t(status === 0 ? 'error.offline' : 'error.serverTrouble');
    await expect(page.getByText(reason)).toBeVisible();
    await page.unroute(chatroomUrl);
    await expect(async () => {
      await clickAll(page.getByRole('button', { name: t('app.retry') }));
      expect(await message(page, 'Hello Bob!').isVisible()).toBe(true);
    }).toPass();
    await expect(page).toHaveURL((url) => url.pathname === room);
  }
});

test('an invalid chat list shows an error and does not log the user out', async ({
  server,
  newPage,
}) => {
  const { bob } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const { page } = bob;
  await disableOfflineCopy(page);
  for (const response of [{ json: {} }, { body: '' }, { body: '<p>' }]) {
    await page.route('**/api/chatrooms/chats', (route) =>
      route.fulfill({ status: 200, ...response }),
    );
    await page.goto('/chatarea');
    await expect(page.getByText(t('chatList.error'))).toBeVisible();
    await page.unroute('**/api/chatrooms/chats');
  }
  await page.goto('/chatarea');
  await expect(chatRow(page, 'Alice')).toBeVisible();
});
