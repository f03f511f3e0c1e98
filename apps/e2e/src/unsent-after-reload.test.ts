import type { Page } from 'playwright/test';
import { message, messages, sendText } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { readDatabase } from './support/read-database.ts';
import { chooseImages } from './support/media.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Reloads the page offline, which fails, then goes online and opens the path. */
async function reloadOfflineAndReconnect(page: Page, path: string): Promise<void> {
  await page.reload().catch(() => undefined);
  await page.context().setOffline(false);
  await page.goto(path);
}

async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(page.getByText(t('connection.offline'))).toBeVisible();
}

test('images survive a reload while offline; submitted ones are sent, and selected ones stay selected', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const tiles = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  await goOffline(page);
  await chooseImages(page, createPng(60, 40, 'sent.png'));
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(page.locator('article progress')).toHaveCount(1);
  await chooseImages(page, createPng(50, 50, 'chosen.png'));
  // Its file has been read and stored.
  await expect(tiles).toHaveText([/^chosen\.png/]);
  await expect(tiles.locator('img')).toHaveJSProperty('naturalWidth', 50);
  await reloadOfflineAndReconnect(page, room);
  await expect(received).toHaveCount(1);
  await expect(tiles).toHaveText([/^chosen\.png/]);
  await expect(tiles.locator('img')).toHaveJSProperty('naturalWidth', 50);
  await expect(messages(page)).toHaveCount(2);
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(received).toHaveCount(2);
  await expect(tiles).toHaveCount(0);
});

test('recordings survive a reload while offline; submitted ones are sent, and others can still be sent @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const bar = page.getByRole('region', { name: t('recorder.title') });
  const queue = page.getByRole('list', { name: t('recorder.title') });
  const received = bob.page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
  const startRecording = async () => {
    await page.getByRole('button', { name: t('composer.record') }).click();
    await expect(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  };
  await test.step('a recording that was submitted offline is sent after the reload', async () => {
    await goOffline(page);
    await startRecording();
    await bar.getByRole('button', { name: t('recorder.stop') }).click();
    await expect(queue.getByText(t('message.waiting'))).toBeVisible();
    await sendText(page, 'written meanwhile');
    await startRecording();
    await bar.getByRole('button', { name: t('recorder.stop') }).click();
    await expect(queue.getByRole('listitem')).toHaveCount(2);
    const discard = queue.getByRole('button', { name: t('recorder.discard') });
    await discard.last().click();
    await expect(queue.getByRole('listitem')).toHaveCount(1);
    await reloadOfflineAndReconnect(page, room);
    await expect(received).toHaveCount(1);
    await expect(message(bob.page, 'written meanwhile')).toBeVisible();
    await expect(queue).toHaveCount(0);
  });
  await test.step('a recording that was not submitted can be sent after the reload', async () => {
    await startRecording();
    await page
      .getByRole('link', { name: t('findUser.open') })
      .first()
      .click();
    await expect.poll(() => readDatabase(page)).toContain('recording.');
    await goOffline(page);
    await reloadOfflineAndReconnect(page, room);
    await expect(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();
    await bar.getByRole('button', { name: t('recorder.send') }).click();
    await expect(received).toHaveCount(2);
  });
});
