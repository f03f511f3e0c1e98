import type { Page } from 'playwright/test';
import { chatRow, message, messages, sendText, textBox } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { submitLogin } from './support/browser-user.ts';
import { processTest } from './support/process-test.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Returns the visible texts such as `word-1`, from top to bottom. */
async function visibleOrder(page: Page, word: string): Promise<string[]> {
  const texts = await messages(page).allInnerTexts();
  return texts.flatMap((text) => new RegExp(`^${word}-\\d+`).exec(text)?.[0] ?? []);
}

function numberedTexts(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word}-${index + 1}`);
}

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  processTest(
    `no message is lost if the server crashes during a conversation (${language})`,
    async ({ server, newPage }) => {
      const { alice, bob } = await openSharedChatroom(newPage, server, { language });
      await server.kill();
      for (const { page } of [alice, bob]) {
        await expect(page.getByText(localized('connection.reconnecting'))).toBeVisible();
      }
      for (const text of numberedTexts('alice', 3)) await sendText(alice.page, text);
      for (const text of numberedTexts('bob', 3)) await sendText(bob.page, text);
      await expect(message(alice.page, 'alice-3')).toHaveAttribute('data-state', 'waiting');
      await expect(message(alice.page, 'alice-3')).toContainText(localized('message.waiting'));

      const reconnected = [alice, bob].map(({ page }) =>
        page.getByText(localized('connection.back')).waitFor({ timeout: 60_000 }),
      );
      await server.start();
      await Promise.all(reconnected);
      for (const { page } of [alice, bob]) {
        await expect(message(page, 'alice-3')).toHaveAttribute('data-state', 'sent');
        await expect(message(page, 'bob-3')).toHaveAttribute('data-state', 'sent');
        expect(await visibleOrder(page, 'alice')).toEqual(numberedTexts('alice', 3));
        expect(await visibleOrder(page, 'bob')).toEqual(numberedTexts('bob', 3));
      }
      await expect
        .poll(() => visibleOrder(bob.page, '\\w+'))
        .toEqual(await visibleOrder(alice.page, '\\w+'));
    },
  );
}

test('several tabs show the same unread count', async ({ server, newPage }) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const second = await bob.page.context().newPage();
  await second.goto('/chatarea');
  const unreadBadge = (page: Page, text: string) => chatRow(page, 'Alice').getByText(text);
  await sendText(alice.page, 'And another');
  for (const tab of [bob.page, second]) {
    await expect(unreadBadge(tab, '2 unread messages')).toBeAttached();
    await expect(tab).toHaveTitle(/^\(2\) /);
  }
  await goToChatroom(second, room);
  for (const tab of [bob.page, second]) {
    await expect(unreadBadge(tab, 'unread message')).toHaveCount(0);
    await expect(tab).not.toHaveTitle(/^\(/);
  }
});

test('a user whose session ends while writing returns to the draft after the login', async ({
  server,
  newPage,
}) => {
  const { bob, room } = await openSharedChatroom(newPage, server);
  const { page, email, password } = bob;
  await textBox(page).fill('wait, I was about to say');
  const elsewhere = await newPage();
  await elsewhere.request.post('/api/users/login', { data: { email, password } });
  const passwords = { oldPassword: password, newPassword: 'another horse' };
  const changed = await elsewhere.request.patch('/api/users/update', { data: passwords });
  expect(changed.ok()).toBe(true);
  await expect(page.getByText(t('error.sessionEnded'))).toBeVisible();
  await submitLogin(page, email, passwords.newPassword);
  await expect(page).toHaveURL((url) => url.pathname === room);
  await expect(textBox(page)).toHaveValue('wait, I was about to say');
});
