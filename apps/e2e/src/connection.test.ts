import type { Page } from 'playwright/test';
import { chatRow, message, messages, say, startChat } from './support/chat.ts';
import { arrive } from './support/person.ts';
import { expect, test } from './support/test.ts';

// Each starts a server and two browsers of its own.
test.describe.configure({ timeout: 180_000 });

/** The texts of the open room that begin with one of the given words, as they stand. */
async function order(page: Page, words: RegExp): Promise<string[]> {
  const texts = await messages(page).allInnerTexts();
  return texts.flatMap((text) => words.exec(text)?.[0] ?? []);
}

test('what is written while the server is gone goes out in order, once, and nothing is missed', async ({
  server,
  newPage,
}) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await arrive(alice, server, 'Alice');
  await arrive(bob, server, 'Bob');
  await startChat(alice, 'Bob', 'Hello Bob!');
  await chatRow(bob, 'Alice').click();
  await expect(message(bob, 'Hello Bob!')).toBeVisible();

  await server.kill();
  await expect(alice.getByText('Connection lost. Reconnecting…')).toBeVisible();
  for (const text of ['lost-1', 'lost-2', 'lost-3']) await say(alice, text);
  await say(bob, 'lost-4');
  await expect(message(alice, 'lost-3')).toHaveAttribute('data-state', 'waiting');

  await server.start();
  await expect(alice.getByText('Connected again.')).toBeVisible();
  await expect(message(alice, 'lost-4')).toBeVisible({ timeout: 60_000 });
  await expect(message(bob, 'lost-3')).toBeVisible({ timeout: 60_000 });
  await expect(message(alice, 'lost-3')).toHaveAttribute('data-state', 'sent');
  const seen = await order(alice, /lost-\d/);
  expect(seen.filter((text) => text !== 'lost-4')).toEqual(['lost-1', 'lost-2', 'lost-3']);
  expect(seen).toHaveLength(4);
  await expect.poll(() => order(bob, /lost-\d/)).toEqual(seen);
});

test('an unsent message and a draft outlive a reload', async ({ server, newPage }) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await arrive(alice, server, 'Alice');
  await arrive(bob, server, 'Bob');
  await startChat(alice, 'Bob', 'Hello Bob!');
  await chatRow(bob, 'Alice').click();

  await alice.route('**/api/messages/send', (route) => route.abort());
  await say(alice, 'not yet sent');
  await expect(message(alice, 'not yet sent')).toHaveAttribute('data-state', 'waiting');
  const box = alice.getByRole('textbox', { name: 'Message' });
  await box.fill('half a thought');
  await alice.unroute('**/api/messages/send');
  await alice.reload();

  await expect(message(alice, 'not yet sent')).toHaveAttribute('data-state', 'sent');
  await expect(box).toHaveValue('half a thought');
  await expect(message(bob, 'not yet sent')).toHaveCount(1);
});

test('two tabs agree on what is unread, and a session ended elsewhere keeps the draft', async ({
  server,
  newPage,
}) => {
  const [alice, bob] = [await newPage(), await newPage()];
  await arrive(alice, server, 'Alice');
  const { password } = await arrive(bob, server, 'Bob');
  await startChat(alice, 'Bob', 'Hello Bob!');

  const secondTab = await bob.context().newPage();
  await secondTab.goto('/chatarea');
  for (const tab of [bob, secondTab]) {
    await expect(chatRow(tab, 'Alice').getByText('1 unread message')).toBeAttached();
  }
  await chatRow(secondTab, 'Alice').click();
  await expect(message(secondTab, 'Hello Bob!')).toBeVisible();
  await expect(chatRow(bob, 'Alice').getByText('1 unread message')).toHaveCount(0);

  await secondTab.getByRole('textbox', { name: 'Message' }).fill('wait, I was about to say');
  const other = await newPage();
  const credentials = { email: 'bob@example.org', password };
  expect((await other.request.post('/api/users/login', { data: credentials })).ok()).toBe(true);
  const passwords = { oldPassword: password, newPassword: 'another horse' };
  expect((await other.request.patch('/api/users/update', { data: passwords })).ok()).toBe(true);

  await expect(secondTab.getByText('You have been signed out. Log in to go on.')).toBeVisible();
  await secondTab.getByLabel('Email', { exact: true }).fill(credentials.email);
  await secondTab.getByLabel('Password', { exact: true }).fill(passwords.newPassword);
  await secondTab.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(secondTab.getByRole('textbox', { name: 'Message' })).toHaveValue(
    'wait, I was about to say',
  );
});
