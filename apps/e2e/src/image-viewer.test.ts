import type { Page } from 'playwright/test';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { openSharedChatroom, type SharedChatroom } from './support/shared-chatroom.ts';
import { expect, test, type NewPage } from './support/test.ts';
import type { HostedServer } from '@parley/testing';
import { createTranslator } from './support/texts.ts';

/** Lets Alice send two images and Bob a third one. Returns Bob's page in the chatroom. */
async function openThreeImages(
  newPage: NewPage,
  server: HostedServer,
): Promise<SharedChatroom & { page: Page }> {
  const pair = await openSharedChatroom(newPage, server);
  const { alice, bob, room } = pair;
  await sendFile(alice.page, room, 'image', createPng(300, 200));
  await sendFile(alice.page, room, 'image', createPng(200, 300));
  await sendFile(bob.page, room, 'image', createPng(400, 100));
  await expect(bob.page.locator('[data-message] img')).toHaveCount(3);
  return { ...pair, page: bob.page };
}

test('the first Escape closes a viewer that was opened with the keyboard and shows a tooltip', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const { page } = await openThreeImages(newPage, server);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const opener = page.getByRole('button', { name: t('message.openImage') }).last();
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: t('lightbox.close') }).focus();
  const tooltip = page.getByText(t('lightbox.close'), { exact: true });
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(tooltip).toHaveCount(0);
  await expect(opener).toBeFocused();
});
