import type { Page } from 'playwright/test';
import { message, sendText, textBox } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { logIn, submitLogin, type BrowserUser } from './support/browser-user.ts';
import { readDatabase } from './support/read-database.ts';
import { expect, test } from './support/test.ts';

test('an unsent message is never sent on behalf of another user who signs in later', async ({
  newPage,
  server,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  await page.context().setOffline(true);
  await sendText(page, 'from Alice alone');
  await signInSilently(page, bob);
  await page.context().setOffline(false);

  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expectNoMessage(bob.page, 'from Alice alone');

  // The message waits until Alice logs in again.
  await submitLogin(page, alice.email, alice.password);
  await page.waitForURL(`**${room}`);
  await expect(message(page, 'from Alice alone')).toHaveAttribute('data-state', 'sent');
  await expect(message(bob.page, 'from Alice alone')).toBeVisible();
  await expect(message(bob.page, 'from Alice alone').locator('xpath=..')).not.toHaveAttribute(
    'data-own',
  );
});

test('a tab that was suspended while another user signed in neither shows nor changes their data', async ({
  newPage,
  server,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  await textBox(page).fill('a draft of Alice');
  const network = await page.context().newCDPSession(page);
  const suspended = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', { offline: true, ...suspended });

  const other = await page.context().newPage();
  await other.goto('/chatarea');
  await other.getByRole('button', { name: /Alice/ }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await logIn({ ...bob, page: other });

  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await network.send('Network.emulateNetworkConditions', { offline: false, ...suspended });
  await expect(other.locator('[data-chat]')).toContainText('Alice');
  // The tab that was Alice's does not end Bob's session.
  await other.reload();
  await expect(other.locator('[data-chat]')).toContainText('Alice');
  // Alice has logged out, so this browser has none of her data.
  const kept = await readStorage(other);
  expect(kept).not.toContain('a draft of Alice');
});

/** Returns everything that this browser stores, as text. */
async function readStorage(page: Page): Promise<string> {
  const local = await page.evaluate(() => JSON.stringify(localStorage));
  return local + (await readDatabase(page));
}

/** Signs a user in without notifying the tabs of this browser. */
async function signInSilently(page: Page, { email, password }: BrowserUser): Promise<void> {
  const response = await page.request.post('/api/users/login', { data: { email, password } });
  expect(response.ok()).toBe(true);
}

async function expectNoMessage(page: Page, text: string): Promise<void> {
  await page.reload();
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  await expect(message(page, text)).toHaveCount(0);
}
