import { expect, type Page } from 'playwright/test';
import { message } from './chat.ts';
import { goToChatroom } from './shared-chatroom.ts';
import { signUpOverHttp, sendOverHttp } from './browser-user.ts';
import type { RunningServer } from '@parley/testing';
import type { NewPage, NewPageOptions } from './test.ts';
import { createTranslator } from './texts.ts';

const t = createTranslator('en');

const GUEST_SCREENS = [
  ['/', 'login.title'],
  ['/register', 'register.title'],
  ['/register/verify', 'verify.title'],
  ['/forgot-pw', 'forgot.title'],
  ['/new-pw', 'newPassword.title'],
  ['/account-deleted', 'deletedAccount.title'],
  ['/privacy', 'privacy.title'],
  ['/404', 'notFound.title'],
] as const;

const USER_SCREENS = [
  ['/chatarea/exist', 'findUser.title'],
  ['/chatarea/chats/new-chatroom/Carla', 'newChatroom.title'],
  ['/settings', 'settings.title'],
  ['/profile', 'profile.title'],
  ['/about-us', 'about.title'],
] as const;

/** Opens every screen with some content and calls `inspect` on each. */
export async function visitScreens(
  newPage: NewPage,
  server: RunningServer,
  options: NewPageOptions,
  inspect: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const guest = await newPage(options);
  for (const [path, title] of GUEST_SCREENS) {
    await open(guest, path, t(title));
    await inspect(guest, path);
  }

  const page = await newPage(options);
  await signUpOverHttp(page, server, 'Alice');
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
  await inspect(page, 'the empty chat list');

  const other = await newPage();
  await signUpOverHttp(other, server, 'Bob');
  await signUpOverHttp(await newPage(), server, 'Carla');
  const id = await sendOverHttp(page, 'Bob', 'Hello Bob!\nhttps://parley.example/a/long/address');
  await sendOverHttp(other, 'Alice', `Dear Alice, ${'a'.repeat(120)}`);
  await expect(page.locator('[data-chat]')).toHaveCount(1);
  await inspect(page, 'the chat list');
  await goToChatroom(page, `/chatarea/chats/${id}`);
  await expect(message(page, 'Dear Alice')).toBeVisible();
  await inspect(page, 'a chatroom');

  for (const [path, title] of USER_SCREENS) {
    await open(page, path, t(title));
    await inspect(page, path);
  }
  await page.goto('/settings');
  await page.getByRole('button', { name: t('settings.delete') }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await inspect(page, 'the confirmation before an account is deleted');
}

async function open(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
}
