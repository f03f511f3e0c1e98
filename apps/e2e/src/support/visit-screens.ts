import { expect, type Page } from 'playwright/test';
import { message } from './chat.ts';
import { createPng } from './files.ts';
import { sendFile } from './media.ts';
import { goToChatroom } from './shared-chatroom.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp, signUpOverHttp } from './browser-user.ts';
import type { HostedServer } from '@parley/testing';
import type { NewPage, NewPageOptions } from './test.ts';
import { createTranslator } from './texts.ts';

const t = createTranslator('en');

const GUEST_SCREENS = [
  ['/', 'login.title'],
  ['/register', 'register.title'],
  ['/register/verify', 'verify.title'],
  ['/forgot-pw', 'forgot.title'],
  ['/new-pw', 'newPassword.title'],
  ['/email-restore', 'restoreEmail.title'],
  ['/account-deleted', 'deletedAccount.title'],
  ['/privacy', 'privacy.title'],
  ['/invite', 'invite.page'],
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
  server: HostedServer,
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
  await signInOverHttp(other, server, 'Bob');
  await registerOverHttp(server, 'Carla');
  const id = await sendOverHttp(page, 'Bob', 'Hello Bob!\nhttps://parley.example/a/long/address');
  await sendOverHttp(other, 'Alice', `Dear Alice, ${'a'.repeat(120)}`);
  await expect(page.locator('[data-chat]')).toHaveCount(1);
  await inspect(page, 'the chat list');
  await goToChatroom(page, `/chatarea/chats/${id}`);
  await expect(message(page, 'Dear Alice')).toBeVisible();
  await inspect(page, 'a chatroom');
  await expect(message(page, 'Dear Alice')).toBeVisible();
  await page.keyboard.press('Control+f');
  const field = page.getByRole('textbox', { name: t('roomSearch.title') });
  await expect(field).toBeFocused();
  await field.fill('dear');
  await expect(page.getByText(t('roomSearch.place', { current: 1, total: '1' }))).toBeVisible();
  await expect(page.locator('[data-found] mark')).toBeVisible();
  await inspect(page, 'the search in a chatroom');
  await open(page, `/chatarea/chats/${id}/media?kind=link`, t('gallery.title'));
  await expect(page.getByText('parley.example', { exact: true })).toBeVisible();
  await inspect(page, 'the links of a chatroom');
  await goToChatroom(page, `/chatarea/chats/${id}`);

  await visitConsentScreens(newPage, server, page, inspect);

  for (const [path, title] of USER_SCREENS) {
    await open(page, path, t(title));
    await inspect(page, path);
  }
  await page.goto('/settings');
  await page.getByRole('button', { name: t('settings.invitationNew') }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await inspect(page, 'the form of an invitation');
  await page.getByRole('button', { name: t('settings.invitationCreate') }).click();
  const link = page.getByRole('dialog').getByRole('textbox');
  await expect(page.getByRole('img', { name: t('invite.qr') })).toBeVisible();
  await inspect(page, 'the link of an invitation');
  await guest.goto(await link.inputValue());
  await expect(guest.getByRole('heading', { level: 1 })).toContainText('Alice');
  await inspect(guest, 'an invitation');
  await page.keyboard.press('Escape');
  await page.request.post(`/api/chatrooms/chats/${id}/block`);
  const unblock = page.getByRole('button', { name: t('settings.unblockPerson', { name: 'Bob' }) });
  await expect(unblock).toBeVisible();
  await inspect(page, 'the settings with an invitation and a blocked person');
  await page.getByRole('button', { name: t('settings.delete') }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await inspect(page, 'the confirmation before an account is deleted');
}

/** Opens the screens and dialogs of message requests, blocking and reports, with Alice's page in a chatroom. */
async function visitConsentScreens(
  newPage: NewPage,
  server: HostedServer,
  page: Page,
  inspect: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const clickMenuItem = async (name: string) => {
    await page.getByRole('button', { name: t('room.menu') }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await clickMenuItem(t('room.report'));
  await page.getByRole('button', { name: t('report.submit') }).click();
  await expect(page.getByText(t('report.reasonRequired'))).toBeVisible();
  await inspect(page, 'the dialog for a report');
  await page.keyboard.press('Escape');
  await clickMenuItem(t('room.block'));
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await inspect(page, 'the confirmation before a user is blocked');
  await page.keyboard.press('Escape');

  let request = '';
  for (const name of ['Dora', 'Emma', 'Fiona_with_long_name', 'Greta']) {
    const sender = await newPage();
    await signInOverHttp(sender, server, name);
    request = await sendOverHttp(sender, 'Alice', 'See example.org', { isRequest: true });
    await sendFile(sender, request, 'image', createPng(40, 30));
  }
  await page.goto('/chatarea');
  await page.getByRole('button', { name: t('requests.total_other', { count: 4 }) }).click();
  await expect(page.getByText(t('requests.row')).first()).toBeAttached();
  await inspect(page, 'the chat list with message requests');
  await goToChatroom(page, `/chatarea/chats/${request}`);
  await expect(page.getByRole('button', { name: t('request.accept') })).toBeVisible();
  await inspect(page, 'a message request');
  await page.request.patch('/api/users/settings', { data: { whoMayWrite: 'everyone' } });
  const hanna = await newPage();
  await signInOverHttp(hanna, server, 'Hanna');
  const chat = await sendOverHttp(hanna, 'Alice', 'Hello Alice', { isUndecided: true });
  await goToChatroom(page, `/chatarea/chats/${chat}`);
  await expect(page.getByText(t('request.undecided', { name: 'Hanna' }))).toBeVisible();
  await inspect(page, 'a chat that is not accepted yet');
  await page.request.post(`/api/chatrooms/chats/${request}/block`);
  await goToChatroom(page, `/chatarea/chats/${request}`);
  await expect(page.getByText(t('block.bar', { name: 'Greta' }))).toBeVisible();
  await inspect(page, 'a blocked chatroom');
}

async function open(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
}
