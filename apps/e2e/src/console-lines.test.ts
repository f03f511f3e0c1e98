import type { Page } from 'playwright/test';
import { message, sendText, textBox } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { chooseImages, sendFile } from './support/media.ts';
import { disableOfflineCopy } from './support/disable-offline-copy.ts';
import { goToChatroom, openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Collects the lines that the application writes to a page's console. */
function collectConsoleLines(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' && line.text().startsWith('Parley:')) lines.push(line.text());
  });
  return lines;
}

test('failures to send, edit, delete, upload and play are logged to the console', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  const lines = collectConsoleLines(page);
  const expectLogged = (what: string) =>
    expect.poll(() => lines.join('\n')).toContain(`Parley: ${what} failed.`);
  const own = page.locator('article').filter({ has: message(page, 'Hello Bob!') });

  await page.route('**/api/messages/*', (route) => route.fulfill({ status: 400, json: {} }));
  await sendText(page, 'Refused');
  await expectLogged('sending a message');

  await own.getByRole('button', { name: t('message.edit') }).click();
  await textBox(page).fill('Changed');
  await textBox(page).press('Enter');
  await expectLogged('editing a message');
  await page.keyboard.press('Escape');

  await own.getByRole('button', { name: t('message.delete') }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('app.delete') })
    .click();
  await expectLogged('deleting a message');
  await page.unroute('**/api/messages/*');

  await page.route('**/api/upload/image', (route) => route.fulfill({ status: 415, json: {} }));
  await chooseImages(page, createPng(20, 20));
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expectLogged('uploading an image');

  await page.route('**/media/*', (route) => route.abort());
  await sendFile(page, room, 'audio', createWav(1));
  await page.getByRole('button', { name: t('audio.play') }).click();
  await expectLogged('playing a recording');
});

test('failures to create a chatroom and to log out are logged to the console', async ({
  server,
  newPage,
}) => {
  await registerOverHttp(server, 'Bob');
  const page = await newPage();
  await signInOverHttp(page, server, 'Alice');
  const lines = collectConsoleLines(page);
  await page.goto('/chatarea/chats/new-chatroom/Bob');
  await page.route('**/api/chatrooms/create', (route) => route.fulfill({ status: 500 }));
  await textBox(page).fill('Hello');
  await textBox(page).press('Enter');
  await expect.poll(() => lines.join('\n')).toContain('Parley: creating a chatroom failed.');
  await page.route('**/api/users/logout', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('shell.logout') }).click();
  await expect.poll(() => lines.join('\n')).toContain('Parley: logging out failed.');
});

test('a sound that the browser does not play is logged to the console', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const { page } = bob;
  const lines = collectConsoleLines(page);
  await page.evaluate(() => {
    HTMLAudioElement.prototype.play = () => Promise.reject(new Error('no device'));
  });
  await page.locator('h1, p').first().click();
  await sendOverHttp(alice.page, 'Bob', 'Can you hear me?');
  await expect
    .poll(() => lines.join('\n'))
    .toContain('Parley: playing the receive sound failed. Error: no device');
});

test('public pages work if the account cannot be fetched, and log the failure to the console', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await disableOfflineCopy(page);
  const lines = collectConsoleLines(page);
  await page.route('**/api/users/current', (route) => route.fulfill({ status: 500 }));
  for (const [path, key] of [
    ['/privacy', 'privacy.title'],
    ['/', 'login.title'],
    ['/register', 'register.title'],
    ['/404', 'notFound.title'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t(key));
    expect(lines.join('\n')).toContain("Parley: fetching the user's language failed.");
    lines.length = 0;
  }
  await page.goto(room);
  await expect(page.getByRole('heading', { name: t('app.startRefused') })).toBeVisible();
  await page.unroute('**/api/users/current');
  await goToChatroom(page, room);
});
