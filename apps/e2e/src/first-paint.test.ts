import type { Page } from 'playwright/test';
import { messages, textBox } from './support/chat.ts';
import { openChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Opens a path and delays every script of the application until `release` is called. */
async function openWithoutScripts(page: Page, path: string) {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return { release: () => released.resolve() };
}

test('a guest sees the brand and a skeleton of the form before any script has loaded', async ({
  newPage,
}) => {
  const page = await newPage();
  const { release } = await openWithoutScripts(page, '/');
  await expect(page.locator('.frame-brand')).toBeVisible();
  await expect(page.locator('.frame-card')).toBeVisible();
  await expect(page.locator('.frame-list')).toBeHidden();
  release();
  await expect(page.getByRole('button', { name: t('login.submit'), exact: true })).toBeVisible();
  await expect(page.locator('#frame')).toBeHidden();
});

test('a user sees a skeleton of the chat list and the chatroom before any script has loaded', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;

  await test.step('the chat list and the chatroom are side by side', async () => {
    const { release } = await openWithoutScripts(page, room);
    await expect(page.locator('.frame-list')).toBeVisible();
    await expect(page.locator('.frame-composer')).toBeVisible();
    await expect(page.locator('.frame-card')).toBeHidden();
    release();
    await expect(messages(page).last()).toBeVisible();
    await expect(textBox(page)).toBeVisible();
    await expect(page.locator('#frame')).toBeHidden();
  });

  await test.step('a narrow window shows only one of the two', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    const inRoom = await openWithoutScripts(page, room);
    await expect(page.locator('.frame-composer')).toBeVisible();
    await expect(page.locator('.frame-list')).toBeHidden();
    inRoom.release();
    await expect(page.locator('#frame')).toBeHidden();
    const inList = await openWithoutScripts(page, '/chatarea');
    await expect(page.locator('.frame-list')).toBeVisible();
    await expect(page.locator('.frame-composer')).toBeHidden();
    inList.release();
    await expect(page.locator('#frame')).toBeHidden();
  });
});
