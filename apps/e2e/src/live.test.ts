import type { Page } from 'playwright/test';
import { chatRow, message, messages, sendText, scrollToStart, textBox } from './support/chat.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp, submitLogin } from './support/browser-user.ts';
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

test('a user who was offline receives all missed changes and sends the waiting messages', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await sendText(alice.page, 'To be deleted');
  await expect(message(bob.page, 'To be deleted')).toBeVisible();
  await bob.page.context().setOffline(true);
  await expect(bob.page.getByText(t('connection.offline'))).toBeVisible();
  for (const text of numberedTexts('waiting', 3)) await sendText(bob.page, text);

  await message(alice.page, 'To be deleted').hover();
  const article = alice.page.locator('article').filter({ hasText: 'To be deleted' });
  await article.getByRole('button', { name: t('message.delete') }).click();
  await alice.page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('app.delete') })
    .click();
  await expect(message(alice.page, 'To be deleted')).toHaveCount(0);
  await expect(alice.page.getByRole('alertdialog')).toHaveCount(0);
  await textBox(alice.page).press('ArrowUp');
  await expect(textBox(alice.page)).toHaveValue('Hello Bob!');
  await textBox(alice.page).fill('Hello Bob, edited');
  await textBox(alice.page).press('Enter');
  await expect(message(alice.page, 'Hello Bob, edited')).toBeVisible();
  // These messages fill more than one page of a response.
  for (const text of numberedTexts('missed', 70)) await sendOverHttp(alice.page, 'Bob', text);

  await bob.page.context().setOffline(false);
  await expect(message(bob.page, 'missed-70')).toBeAttached();
  await expect(message(alice.page, 'waiting-3')).toBeVisible();
  expect(await visibleOrder(alice.page, 'waiting')).toEqual(numberedTexts('waiting', 3));
  await bob.page.reload();
  await expect(message(bob.page, 'waiting-3')).toHaveAttribute('data-state', 'sent');
  await scrollToStart(bob.page);
  await expect(message(bob.page, 'Hello Bob, edited')).toContainText(t('message.updated'));
  await expect(message(bob.page, 'To be deleted')).toHaveCount(0);
  await expect(message(bob.page, 'missed-1').first()).toBeVisible();
});

test('waiting messages and drafts survive a reload without a network', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  await page.context().setOffline(true);
  for (const text of numberedTexts('kept', 3)) await sendText(page, text);
  await textBox(page).fill('half a thought');
  await page.reload().catch(() => undefined);
  await page.context().setOffline(false);
  await page.goto(room);
  await expect(message(page, 'kept-3')).toHaveAttribute('data-state', 'sent');
  await expect(textBox(page)).toHaveValue('half a thought');
  for (const each of [page, bob.page]) {
    await expect.poll(() => visibleOrder(each, 'kept')).toEqual(numberedTexts('kept', 3));
  }
});

test('a message whose response was lost is stored once', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await alice.page.context().setOffline(false);
  await alice.page.route(
    '**/api/messages/send',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  for (const text of numberedTexts('once', 3)) await sendText(alice.page, text);
  for (const { page } of [alice, bob]) {
    await expect(message(page, 'once-3')).toHaveAttribute('data-state', 'sent');
    expect(await visibleOrder(page, 'once')).toEqual(numberedTexts('once', 3));
  }
});

test('both users see messages in the same order, however fast they write', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const flood = async (page: Page, partner: string, word: string) => {
    for (const text of numberedTexts(word, 20)) await sendOverHttp(page, partner, text);
  };
  await Promise.all([flood(alice.page, 'Bob', 'a'), flood(bob.page, 'Alice', 'b')]);
  const readAll = async (page: Page) => {
    const seen = new Map<string, string>();
    await scrollToStart(page, async () => {
      const shown = await messages(page).evaluateAll((items) =>
        items.map((item) => {
          const text = item instanceof HTMLElement ? item.innerText : '';
          return [item.getAttribute('data-message') ?? '', text.split('\n')[0] ?? ''];
        }),
      );
      for (const [id = '', text = ''] of shown) seen.set(id, text);
    });
    // The ids sort by time.
    return [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  };
  await expect(chatRow(alice.page, 'Bob')).toContainText(/[ab]-20/);
  await expect(chatRow(bob.page, 'Alice')).toContainText(/[ab]-20/);
  const shownToAlice = await readAll(alice.page);
  expect(shownToAlice).toHaveLength(41);
  expect(shownToAlice.filter((text) => text.startsWith('a-'))).toEqual(numberedTexts('a', 20));
  expect(await readAll(bob.page)).toEqual(shownToAlice);
});

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
