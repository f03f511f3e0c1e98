import type { Page } from 'playwright/test';
import { chatRow, message, messages, sendText, textBox } from './support/chat.ts';
import { expect, proxiedTest as test } from './support/proxied-test.ts';
import {
  goToChatroom,
  openSharedChatroom,
  type SharedChatroom,
} from './support/shared-chatroom.ts';
import { sendOverHttp, submitLogin } from './support/browser-user.ts';
import { readDatabase } from './support/read-database.ts';
import type { NewPage } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator, type TestLanguage } from './support/texts.ts';
import type { HostedServer } from '@parley/testing';

const t = createTranslator('en');

test.use({ serviceWorkers: 'allow' });

/** Returns everything that the page's browser stores, as text. */
async function readStorage(page: Page): Promise<string> {
  const local = await page.evaluate(() => JSON.stringify(localStorage));
  return `${await readDatabase(page)} ${local}`;
}

/** Waits until a page can start without the server: its files and a text of its chats are stored. */
async function waitUntilStored(page: Page, text: string): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => readStorage(page), { timeout: 60_000 }).toContain(text);
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true);
}

/** Opens the chatroom of Alice and Bob. Resolves once Alice's browser has stored it. */
async function openStoredChatroom(
  newPage: NewPage,
  server: HostedServer,
  language: TestLanguage = 'en',
): Promise<SharedChatroom> {
  const pair = await openSharedChatroom(newPage, server, { language });
  // A second visit, as the first one started before the service worker. It would not control a page that loads while
  // it becomes active.
  await pair.alice.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await goToChatroom(pair.alice.page, pair.room);
  await sendText(pair.bob.page, 'Hello Alice!');
  await expect(message(pair.alice.page, 'Hello Alice!')).toBeVisible();
  await waitUntilStored(pair.alice.page, 'Hello Alice!');
  await expect.poll(() => readStorage(pair.alice.page)).toContain('start-facts');
  return pair;
}

async function logOut(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: t('frame.menu', { name }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
}

const loginButton = (page: Page) =>
  page.getByRole('button', { name: t('login.submit'), exact: true });

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  test(`without the server, the last state is shown, and new messages are sent once it is back (${language})`, async ({
    server,
    reverseProxy,
    newPage,
  }) => {
    const { alice, bob, room } = await openStoredChatroom(newPage, server, language);
    const { page } = alice;
    const other = await sendOverHttp(bob.page, 'Alice', 'not opened');
    expect(room).toContain(other);
    await reverseProxy.close();
    await page.reload();
    await expect(message(page, 'Hello Alice!')).toBeVisible();
    await expect(chatRow(page, 'Bob')).toBeVisible();
    await expect(page.getByText(localized('connection.reconnecting'))).toBeVisible();
    await sendText(page, 'written offline');
    await expect(message(page, 'written offline')).toContainText(localized('message.waiting'));

    await test.step('a chatroom that is not stored shows that it needs a connection', async () => {
      await page.goto('/chatarea/chats/01890000-0000-7000-8000-000000000000');
      await expect(page.getByText(localized('room.error'))).toBeVisible();
      await expect(page.getByText(localized('error.offline'))).toBeVisible();
      await expect(page.getByRole('button', { name: localized('app.retry') }).last()).toBeVisible();
    });

    await test.step('a screen that needs the server shows that it cannot be loaded', async () => {
      await page.goto('/settings');
      await expect(page.getByText(localized('settings.loadFailed'))).toBeVisible();
    });

    await page.goto(room);
    await expect(message(page, 'written offline')).toBeVisible();
    await reverseProxy.open();
    await expect(message(page, 'written offline')).toHaveAttribute('data-state', 'sent', {
      timeout: 60_000,
    });
    await expect(message(bob.page, 'written offline')).toHaveCount(1);
    await expect(message(page, 'written offline')).toHaveCount(1);
    await expect(message(page, 'not opened')).toHaveCount(1);
  });
}

test('an expired session hides all data until the same user logs in, and the login of another user erases it', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, bob, room } = await openStoredChatroom(newPage, server);
  const { page } = alice;
  await textBox(page).fill('half a sentence');
  await expect.poll(() => readStorage(page)).toContain('half a sentence');
  const expire = async (): Promise<void> => {
    await page.goto('about:blank');
    await page.context().clearCookies({ name: 'parley.sid' });
    await page.goto(room);
    await expect(loginButton(page)).toBeVisible();
    await expect(messages(page)).toHaveCount(0);
  };
  await expire();
  expect(await readStorage(page)).toContain('Hello Alice!');
  await reverseProxy.close();
  await page.goto(room);
  await expect(page.getByRole('heading', { name: t('app.startFailed') })).toBeVisible();
  await reverseProxy.open();
  await page.goto(room);
  await submitLogin(page, alice.email, alice.password);
  await expect(textBox(page)).toHaveValue('half a sentence');

  await expire();
  await submitLogin(page, bob.email, bob.password);
  await expect(chatRow(page, 'Alice')).toBeVisible();
  await expect.poll(() => readStorage(page)).not.toContain('half a sentence');
});

test('logging out without a connection immediately erases all data in all tabs, and ends the session later', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, room } = await openStoredChatroom(newPage, server);
  const { page } = alice;
  const second = await page.context().newPage();
  await second.goto(room);
  await expect(message(second, 'Hello Alice!')).toBeVisible();
  await reverseProxy.close();
  await logOut(page, 'Alice');
  await expect(page.getByText(t('frame.logoutOfflineText'))).toBeVisible();
  await page.getByRole('button', { name: t('app.cancel') }).click();
  await expect(message(page, 'Hello Alice!')).toBeVisible();
  await logOut(page, 'Alice');
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('frame.logout') })
    .click();
  await expect(loginButton(page)).toBeVisible();
  await expect(loginButton(second)).toBeVisible();
  await expect.poll(() => readStorage(page)).not.toMatch(/Hello|Alice/);

  await reverseProxy.open();
  await page.goto(room);
  await expect(loginButton(page)).toBeVisible();
  const response = await page.request.get('/api/users/current');
  expect(response.status()).toBe(401);
});

test('switching off the offline copy immediately erases it in all tabs, but keeps drafts', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, room } = await openStoredChatroom(newPage, server);
  const { page } = alice;
  await textBox(page).fill('half a sentence');
  const second = await page.context().newPage();
  await second.goto('/settings');
  const box = second.getByRole('checkbox', { name: t('settings.copyKeep') });
  await expect(box).toBeChecked();
  await expect(second.getByText(t('settings.copyHelp'))).toBeVisible();
  await box.click();
  await expect.poll(() => readStorage(second)).not.toMatch(/Hello|start-facts/);
  await sendText(page, 'not kept');
  await textBox(page).fill('half a sentence');
  await expect(message(page, 'not kept')).toHaveAttribute('data-state', 'sent');
  await expect.poll(() => readStorage(second)).toContain('half a sentence');
  expect(await readStorage(second)).not.toMatch(/not kept|start-facts/);
  await second.reload();
  await expect(box).not.toBeChecked();
  await reverseProxy.close();
  await page.goto(room);
  await expect(page.getByRole('heading', { name: t('app.startFailed') })).toBeVisible();
  await reverseProxy.open();
  await page.goto(room);
  await expect(textBox(page)).toHaveValue('half a sentence');
});
