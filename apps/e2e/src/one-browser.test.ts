import type { Page } from 'playwright/test';
import { message, say, textBox } from './support/chat.ts';
import { twoInRoom } from './support/pair.ts';
import { fillLogin, logIn, type Person } from './support/person.ts';
import { readDatabase } from './support/read-database.ts';
import { expect, test } from './support/test.ts';
import { words } from './support/texts.ts';

test('what one person wrote never goes out under the name of another who signed in meanwhile', async ({
  newPage,
  server,
}) => {
  const { alice, bob, room } = await twoInRoom(newPage, server);
  const { page } = alice;
  await page.context().setOffline(true);
  await say(page, 'from Alice alone');
  await signInUnseen(page, bob);
  await page.context().setOffline(false);

  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await sayNothingOf(bob.page, 'from Alice alone');

  // It waits for her.
  await fillLogin(page, alice.email, alice.password);
  await page.waitForURL(`**${room}`);
  await expect(message(page, 'from Alice alone')).toHaveAttribute('data-state', 'sent');
  await expect(message(bob.page, 'from Alice alone')).toBeVisible();
  await expect(message(bob.page, 'from Alice alone').locator('xpath=..')).not.toHaveAttribute(
    'data-own',
  );
});

test('a tab that slept while somebody else signed in shows and changes nothing of theirs', async ({
  newPage,
  server,
}) => {
  const { alice, bob } = await twoInRoom(newPage, server);
  const { page } = alice;
  await textBox(page).fill('a draft of Alice');
  const network = await page.context().newCDPSession(page);
  const asleep = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', { offline: true, ...asleep });

  const other = await page.context().newPage();
  await other.goto('/chatarea');
  await other.getByRole('button', { name: /Alice/ }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await logIn({ ...bob, page: other });

  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await network.send('Network.emulateNetworkConditions', { offline: false, ...asleep });
  await expect(other.locator('[data-chat]')).toContainText('Alice');
  // Signing in was Bob's business: the tab that was Alice's does not end it.
  await other.reload();
  await expect(other.locator('[data-chat]')).toContainText('Alice');
  // She signed out: nothing of hers is left in this browser.
  const kept = await everythingKept(other);
  expect(kept).not.toContain('a draft of Alice');
});

/** Returns what this browser keeps, as text. */
async function everythingKept(page: Page): Promise<string> {
  const local = await page.evaluate(() => JSON.stringify(localStorage));
  return local + (await readDatabase(page));
}

/** Signs somebody in without any tab of this browser noticing. */
async function signInUnseen(page: Page, { email, password }: Person): Promise<void> {
  const answer = await page.request.post('/api/users/login', { data: { email, password } });
  expect(answer.ok()).toBe(true);
}

async function sayNothingOf(page: Page, text: string): Promise<void> {
  await page.reload();
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  await expect(message(page, text)).toHaveCount(0);
}

test('ending a session from another device leaves nothing of the person in that browser', async ({
  newPage,
  server,
}) => {
  const { alice } = await twoInRoom(newPage, server);
  const { page, email, password } = alice;
  await textBox(page).fill('a draft of Alice');
  await page.getByRole('button', { name: words('en')('composer.emoji') }).click();
  await page.getByPlaceholder(words('en')('emoji.search')).fill('rocket');
  await page.getByRole('gridcell', { name: 'rocket', exact: true }).click();
  const kept = () => everythingKept(page);
  await expect.poll(kept).toContain('1f680');
  await expect.poll(kept).toContain('a draft of Alice');

  const elsewhere = await newPage();
  await elsewhere.request.post('/api/users/login', { data: { email, password } });
  expect((await elsewhere.request.delete('/api/sessions')).ok()).toBe(true);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect.poll(kept).not.toContain('a draft of Alice');
  expect(await kept()).not.toMatch(/1f680|Alice/);
});
