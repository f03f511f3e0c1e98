import type { Page } from 'playwright/test';
import { chatRow, message, messages } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

const expectPath = (page: Page, path: string) =>
  expect(page).toHaveURL((url) => url.pathname === path);

test('the link back to the chats goes back in the history if the chats are the previous entry', async ({
  server,
  newPage,
}) => {
  const viewport = { width: 390, height: 740 };
  const { bob, room } = await openSharedChatroom(newPage, server, {
    viewport,
    bobOpens: 'chat list',
  });
  const { page } = bob;
  const length = () => page.evaluate(() => history.length);
  const start = await length();
  for (let round = 0; round < 3; round++) {
    await chatRow(page, 'Alice').click();
    await expect(message(page, 'Hello Bob!')).toBeVisible();
    await page.getByRole('link', { name: t('room.back') }).click();
    await expectPath(page, '/chatarea');
  }
  await page.getByRole('link', { name: t('chatList.add') }).click();
  await page.getByRole('link', { name: t('findUser.close') }).click();
  await expectPath(page, '/chatarea');
  expect(await length()).toBe(start + 1);
  await page.goForward();
  await expectPath(page, '/chatarea/exist');

  // A chatroom that was opened by its address has no chat list before it in the history.
  await goToChatroom(page, room);
  await page.getByRole('link', { name: t('room.back') }).click();
  await expectPath(page, '/chatarea');
  await page.goBack();
  await expectPath(page, room);
  await page.reload();
  await expect(messages(page).first()).toBeVisible();
});
