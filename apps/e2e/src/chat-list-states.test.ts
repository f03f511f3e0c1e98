import { chatRow, sendText } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp, signInOverHttp, signUpOverHttp } from './support/browser-user.ts';
import { clickAll } from './support/click-all.ts';
import { disableOfflineCopy } from './support/disable-offline-copy.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the chat list shows when it is loading, has failed or is empty (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    await signUpOverHttp(page, server, 'Alice', language);
    await expect(page.getByText(t('chatList.empty'))).toBeVisible();
    await disableOfflineCopy(page);
    const chats = '**/api/chatrooms/chats';
    const held = Promise.withResolvers<void>();
    await page.route(chats, async (route) => {
      await held.promise;
      await route.fulfill({ status: 500 });
    });
    await page.reload();
    await expect(page.getByText(t('chatList.loading'))).toBeAttached();
    held.resolve();
    await expect(page.getByText(t('chatList.error'))).toBeVisible();
    const requested = page.waitForRequest(chats);
    await page.getByRole('button', { name: t('app.retry') }).click();
    await requested;
    await page.unroute(chats);
    // A live connection that opens now loads the list as well, which removes the button.
    await expect(async () => {
      await clickAll(page.getByRole('button', { name: t('app.retry') }));
      expect(await page.getByText(t('chatList.empty')).isVisible()).toBe(true);
    }).toPass();
  });
}

test('a chat list row shows the partner, the time, a preview and the unread count', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const { alice, bob } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const row = chatRow(bob.page, 'Alice');
  const long = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen';

  await test.step('the badge and the title show the unread count', async () => {
    await expect(row.getByText('1 unread message')).toBeAttached();
    await expect(bob.page).toHaveTitle(t('app.unreadTitle', { count: 1, title: 'Chats · Parley' }));
    await expect(row.locator('time')).toHaveText(/^\d{1,2}:\d{2}\s(?:AM|PM)$/);
  });

  await test.step('a preview has 80 characters on wide screens and 20 on narrow ones, and half of that for own messages', async () => {
    await sendText(alice.page, `${long} fifteen`);
    await expect(row).toContainText(`${long.slice(0, 80)}…`);
    const own = chatRow(alice.page, 'Bob');
    await expect(own).toContainText(`${long.slice(0, 40).trimEnd()}…`);
    await expect(own.getByText(t('chatList.you'))).toBeAttached();
    await bob.page.setViewportSize({ width: 1100, height: 800 });
    await expect(row).toContainText(`${long.slice(0, 20).trimEnd()}…`);
    await expect(row).not.toContainText(long.slice(0, 30));
  });

  await test.step('a deleted message disappears from the preview', async () => {
    await sendText(alice.page, 'A typoo');
    await expect(row).toContainText('A typoo');
    await alice.page.locator('[data-message]').last().hover();
    await alice.page
      .getByRole('button', { name: t('message.delete') })
      .last()
      .click();
    await alice.page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('app.delete') })
      .click();
    await expect(row).not.toContainText('A typoo');
    await expect(row.getByText('2 unread messages')).toBeAttached();
  });

  await test.step('the newest chat comes first', async () => {
    const carla = await newPage();
    await signInOverHttp(carla, server, 'Carla');
    await sendOverHttp(carla, 'Bob', 'Hi Bob');
    const first = bob.page.locator('[data-chat]').first();
    await expect(first).toContainText('Carla');
    await sendText(alice.page, 'Me again');
    await expect(first).toContainText('Alice');
    await expect(bob.page).toHaveTitle(/^\(4\)/);
  });
});

test('a failed logout keeps the user signed in', async ({ server, newPage }) => {
  const t = createTranslator('en');
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  await page.route('**/api/users/logout', (route) => route.fulfill({ status: 500 }));
  const logOut = async () => {
    await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t('shell.logout') }).click();
  };
  await logOut();
  await expect(page.getByText(t('shell.logoutFailed'))).toBeVisible();
  await page.unroute('**/api/users/logout');
  await logOut();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await page.goto('/chatarea');
  await expect(page).toHaveURL((url) => url.pathname === '/');
});
