import { chatRow, message, scrollToStart } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { openChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('an open image is closed after a reload', async ({ server, newPage }) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await sendFile(page, room, 'image', createPng(300, 200));
  for (let i = 0; i < 40; i++) await sendOverHttp(page, 'Bob', `Line ${i}`);
  await expect(message(page, 'Line 39')).toBeVisible();
  await page.goto('/chatarea');
  await chatRow(page, 'Bob').click();
  await expect(message(page, 'Line 39')).toBeVisible();
  await scrollToStart(page);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  // The list may still be moving below a mouse.
  await page.getByRole('button', { name: t('message.openImage') }).press('Enter');
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(message(page, 'Line 39')).toBeVisible();
  await scrollToStart(page);
  await expect(page.getByRole('button', { name: t('message.openImage') })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
});
