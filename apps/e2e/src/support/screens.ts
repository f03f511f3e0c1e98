import { expect, type Page } from 'playwright/test';
import { message } from './chat.ts';
import { enterRoom } from './pair.ts';
import { arrive, sendDirectly } from './person.ts';
import type { RunningServer } from '@parley/testing';
import type { NewPage, NewPageOptions } from './test.ts';
import { words } from './texts.ts';

const t = words('en');

const FOR_STRANGERS = [
  ['/', 'login.title'],
  ['/register', 'register.title'],
  ['/register/verify', 'verify.title'],
  ['/forgot-pw', 'forgot.title'],
  ['/new-pw', 'newPassword.title'],
  ['/account-deleted', 'deletedAccount.title'],
  ['/privacy', 'privacy.title'],
  ['/404', 'notFound.title'],
] as const;

const SIGNED_IN = [
  ['/chatarea/exist', 'findUser.title'],
  ['/chatarea/chats/new-chatroom/Carla', 'newChatroom.title'],
  ['/settings', 'settings.title'],
  ['/profile', 'profile.title'],
  ['/about-us', 'about.title'],
] as const;

/** Opens every screen in turn, with something on it, and has a look at each. */
export async function visitScreens(
  newPage: NewPage,
  server: RunningServer,
  options: NewPageOptions,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const stranger = await newPage(options);
  for (const [path, title] of FOR_STRANGERS) {
    await open(stranger, path, t(title));
    await look(stranger, path);
  }

  const page = await newPage(options);
  await arrive(page, server, 'Alice');
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
  await look(page, 'the empty chat list');

  const other = await newPage();
  await arrive(other, server, 'Bob');
  await arrive(await newPage(), server, 'Carla');
  const id = await sendDirectly(page, 'Bob', 'Hello Bob!\nhttps://parley.example/a/long/address');
  await sendDirectly(other, 'Alice', `Dear Alice, ${'a'.repeat(120)}`);
  await expect(page.locator('[data-chat]')).toHaveCount(1);
  await look(page, 'the chat list');
  await enterRoom(page, `/chatarea/chats/${id}`);
  await expect(message(page, 'Dear Alice')).toBeVisible();
  await look(page, 'a chatroom');

  for (const [path, title] of SIGNED_IN) {
    await open(page, path, t(title));
    await look(page, path);
  }
  await page.goto('/settings');
  await page.getByRole('button', { name: t('settings.delete') }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look(page, 'the question before an account is deleted');
}

async function open(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
}
