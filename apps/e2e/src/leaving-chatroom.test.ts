import type { Page } from 'playwright/test';
import { chatRow, message, messages, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { chooseImages } from './support/media.ts';
import { openSharedChatroom, type SharedChatroom } from './support/shared-chatroom.ts';
import { registerOverHttp, sendOverHttp } from './support/browser-user.ts';
import { expect, test, type NewPage } from './support/test.ts';
import type { HostedServer } from '@parley/testing';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Opens the chatroom of Alice and Bob, and creates one of Alice and Carla. */
async function openTwoChatrooms(newPage: NewPage, server: HostedServer): Promise<SharedChatroom> {
  const pair = await openSharedChatroom(newPage, server);
  await registerOverHttp(server, 'Carla');
  await sendOverHttp(pair.alice.page, 'Carla', 'Hi Carla');
  return pair;
}

async function switchTo(page: Page, partner: string, text: string): Promise<void> {
  await chatRow(page, partner).click();
  await expect(message(page, text)).toBeVisible();
}

/** Delays uploads until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/upload/*', async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test('a chosen image stays in its chatroom and is sent even if the user leaves the chatroom', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openTwoChatrooms(newPage, server);
  const { page } = alice;
  await chooseImages(page, createPng(60, 40, 'for-bob.png'));
  await switchTo(page, 'Carla', 'Hi Carla');
  await expect(page.getByText('for-bob.png')).toHaveCount(0);
  await switchTo(page, 'Bob', 'Hello Bob!');
  await expect(page.getByText('for-bob.png')).toBeVisible();

  const release = await holdUploads(page);
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(page.getByText(/^Uploading, \d+%$/)).toBeVisible();
  await switchTo(page, 'Carla', 'Hi Carla');
  release();
  await expect(
    bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) }),
  ).toHaveCount(1);
  await switchTo(page, 'Bob', 'Hello Bob!');
  await expect(page.getByText('for-bob.png')).toHaveCount(0);
  await expect(messages(page)).toHaveCount(2);
});

test('a recording stays in its chatroom and is sent even if the user leaves the chatroom', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openTwoChatrooms(newPage, server);
  const { page } = alice;
  const bar = page.getByRole('region', { name: t('recorder.title') });
  await page.getByRole('button', { name: t('composer.record') }).click();
  await expect(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  await switchTo(page, 'Carla', 'Hi Carla');
  await expect(bar).toHaveCount(0);
  await expect(textBox(page)).toBeVisible();
  await switchTo(page, 'Bob', 'Hello Bob!');
  await expect(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();

  const release = await holdUploads(page);
  await bar.getByRole('button', { name: t('recorder.send') }).click();
  const queue = page.getByRole('list', { name: t('recorder.title') });
  await expect(queue.getByText(/^Uploading, \d+%$/)).toBeVisible();
  await switchTo(page, 'Carla', 'Hi Carla');
  release();
  await expect(
    bob.page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) }),
  ).toHaveCount(1);
  await switchTo(page, 'Bob', 'Hello Bob!');
  await expect(bar).toHaveCount(0);
  await expect(queue).toHaveCount(0);
});
