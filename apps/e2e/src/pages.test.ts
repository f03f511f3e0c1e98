import { chatRow } from './support/chat.ts';
import { openChatroom } from './support/shared-chatroom.ts';
import { signUpOverHttp, signInOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

test('chatrooms of other users and unknown chatrooms lead to the same 404 page', async ({
  server,
  newPage,
}) => {
  const { room } = await openChatroom(newPage, server);
  const page = await newPage();
  await signInOverHttp(page, server, 'Carla');
  const none = '/chatarea/chats/01890000-0000-7000-8000-000000000000';
  for (const path of [room, none, '/chatarea/chats/nonsense']) {
    await page.goto('/chatarea');
    await page.goto(path);
    await expect(page).toHaveURL((url) => url.pathname === '/404');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('NOT FOUND');
  }
});

test('a screen whose code or texts cannot be loaded offers a retry @long', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const { alice } = await openChatroom(newPage, server);
  const { page } = alice;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const retry = async (): Promise<void> => {
    await page.getByRole('button', { name: t('app.retry') }).click();
    await expect(heading(t('settings.title'))).toBeVisible();
  };

  await test.step('missing code keeps the chat list', async () => {
    await page.route('**/assets/SettingsPage*', (route) => route.abort());
    await page.goto('/settings');
    await expect(heading(t('app.screenFailed'))).toBeVisible();
    await expect(chatRow(page, 'Bob')).toBeVisible();
    await page.unroute('**/assets/SettingsPage*');
    await retry();
  });

  await test.step('missing texts also concern the chat list', async () => {
    await page.route('**/assets/screens-*', (route) => route.abort());
    await page.reload();
    await expect(heading(t('app.screenFailed'))).toBeVisible();
    await page.unroute('**/assets/screens-*');
    await retry();
  });
});

test('every screen opens without a connection once the first one has loaded', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  const page = await newPage();
  const last = page.waitForResponse('**/assets/AboutPage*.js');
  await signUpOverHttp(page, server, 'Alice');
  await last;
  await page.context().setOffline(true);
  await page.getByRole('button', { name: t('shell.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('shell.about') }).click();
  await expect(page.getByRole('heading', { name: t('about.features') })).toBeVisible();
});
