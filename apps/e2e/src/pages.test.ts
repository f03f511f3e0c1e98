import { chatRow } from './support/chat.ts';
import { openChatroom } from './support/shared-chatroom.ts';
import { signUpOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

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
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.about') }).click();
  await expect(page.getByRole('heading', { name: t('about.features') })).toBeVisible();
});
