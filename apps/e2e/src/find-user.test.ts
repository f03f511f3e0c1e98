import { message } from './support/chat.ts';
import { registerOverHttp, signUpOverHttp, sendOverHttp } from './support/browser-user.ts';
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
