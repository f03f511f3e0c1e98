import { message, textBox } from './support/chat.ts';
import {
  registerOverHttp,
  signUpOverHttp,
  sendOverHttp,
  signInOverHttp,
} from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`searching for a user shows the result (${language})`, async ({ server, newPage }) => {
    const page = await newPage({ locale: localeOf(language) });
    await registerOverHttp(server, 'Bob');
    await signUpOverHttp(page, server, 'Alice', language);
    const field = page.getByLabel(t('findUser.username'), { exact: true });
    const search = async (name: string) => {
      await field.fill(name);
      await page.getByRole('button', { name: t('findUser.submit') }).click();
    };
    const expectPath = (path: string) => expect(page).toHaveURL((url) => url.pathname === path);

    await page.getByRole('link', { name: t('chatList.add') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('findUser.title'));
    await expect(field).toBeFocused();

    await search('   ');
    await dismissToast(page, t('findUser.required'));
    let lookups = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/chatrooms/exist')) lookups += 1;
    });
    await search(' 😀 ');
    await dismissToast(page, t('findUser.short', { min: 2 }));
    expect(lookups).toBe(0);
    await search('nobody');
    await dismissToast(page, t('findUser.notFound'));
    await search(' ALICE ');
    await dismissToast(page, t('findUser.self'));
    await expectPath('/chatarea/exist');

    const exist = '**/api/chatrooms/exist';
    await page.route(exist, (route) => route.fulfill({ status: 500 }));
    await search('bob');
    await dismissToast(page, t('findUser.failed'));
    await page.unroute(exist);
    await page.route(exist, (route) => route.abort());
    await search('bob');
    await dismissToast(page, t('error.offline'));
    await expect(field).toHaveValue('bob');
    await page.unroute(exist);

    await page.getByRole('link', { name: t('findUser.close') }).click();
    await expectPath('/chatarea');
    await page.getByRole('link', { name: t('chatList.add') }).click();
    await search(' bob ');
    await expectPath('/chatarea/chats/new-chatroom/Bob');
    await expect(page.getByRole('heading', { name: t('newChatroom.title') })).toBeVisible();
    await expect(page.getByText(t('newChatroom.to', { name: 'Bob' }))).toBeVisible();

    const room = `/chatarea/chats/${await sendOverHttp(page, 'Bob', 'Hello Bob!')}`;
    await page.goto('/chatarea/exist');
    await search('BOB');
    await dismissToast(page, t('findUser.already', { name: 'Bob' }));
    await expectPath(room);
    await expect(message(page, 'Hello Bob!')).toBeVisible();
  });
}

test('a first message that fails stays in the text box and is sent only once', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const page = await newPage();
  const bob = await newPage();
  await signUpOverHttp(bob, server, 'Bob');
  await signInOverHttp(page, server, 'Alice');
  await page.goto('/chatarea/chats/new-chatroom/Bob');
  await page.route('**/api/chatrooms/create', (route) => route.abort());
  await textBox(page).fill('Hello Bob!\n\n  \nHow are you?');
  await textBox(page).press('Enter');
  await dismissToast(page, t('newChatroom.failed'));
  await expect(textBox(page)).toHaveValue('Hello Bob!\n\n  \nHow are you?');
  await page.unroute('**/api/chatrooms/create');
  await textBox(page).press('Enter');
  await page.waitForURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
  await expect(message(page, 'Hello Bob!')).toContainText('How are you?');
  await expect(page.locator('[data-message]')).toHaveCount(1);
  await expect(bob.locator('[data-chat]')).toContainText('Hello Bob! How are you?');
});

test('a first message to an unknown user shows an error', async ({ server, newPage }) => {
  const t = createTranslator('en');
  const page = await newPage();
  await signInOverHttp(page, server, 'Alice');
  await page.goto('/chatarea/chats/new-chatroom/nobody');
  await textBox(page).fill('Hello?');
  await textBox(page).press('Enter');
  await dismissToast(page, t('newChatroom.notFound'));
});

for (const language of TEST_LANGUAGES) {
  test(`a first message to deletedUser is rejected, and the text box is cleared (${language})`, async ({
    server,
    newPage,
  }) => {
    const t = createTranslator(language);
    const page = await newPage({
      locale: localeOf(language),
      viewport: { width: 390, height: 740 },
    });
    await signInOverHttp(page, server, 'Alice', language);
    await page.goto('/chatarea/chats/new-chatroom/deletedUser');
    let requests = 0;
    await page.route('**/api/chatrooms/create', async (route) => {
      requests += 1;
      await route.continue();
    });
    await textBox(page).fill('Hello?');
    await page.getByRole('button', { name: t('composer.send'), exact: true }).click();
    const toast = page.locator('.Toastify__toast').filter({ hasText: t('room.partnerDeleted') });
    await expect(toast).toBeVisible();
    await expect(textBox(page)).toHaveValue('');
    expect(requests).toBe(0);

    // The toast is above the text box and never covers it, however large the box is.
    await textBox(page).fill('One line\nand another\nand one more\nand the last');
    await expect(async () => {
      const words = await toast.boundingBox();
      const box = await textBox(page).boundingBox();
      expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
      expect((words?.y ?? 0) + (words?.height ?? 0)).toBeGreaterThan((box?.y ?? 0) - 100);
    }).toPass();
  });
}
