import {
  createBrowserUser,
  logIn,
  signInOverHttp,
  submitVerification,
} from './support/browser-user.ts';
import { chatRow } from './support/chat.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('a guest who registers with an invitation has the chat after the first login', async ({
  server,
  newPage,
}) => {
  const alice = await newPage();
  await signInOverHttp(alice, server, 'Alice');
  await alice.goto('/settings');
  await alice.getByRole('button', { name: t('settings.invitationNew') }).click();
  const dialog = alice.getByRole('dialog');
  await dialog.getByRole('button', { name: t('settings.invitationCreate') }).click();
  await expect(dialog.getByRole('img', { name: t('invite.qr') })).toBeVisible();
  const link = await dialog.getByRole('textbox').inputValue();

  const page = await newPage();
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.goto(link);
  await page.getByRole('link', { name: t('invite.register') }).click();
  await expect(page.getByText(t('register.fromInvitation', { name: 'Alice' }))).toBeVisible();
  const bob = createBrowserUser(page, 'Bob');
  await page.getByLabel(t('field.email'), { exact: true }).fill(bob.email);
  await page.getByLabel(t('field.username'), { exact: true }).fill(bob.username);
  await page.getByLabel(t('field.password'), { exact: true }).fill(bob.password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
  await page.waitForURL('**/register/verify');
  expect(sockets).toEqual([]);
  await submitVerification(bob, await server.keyFor(bob.email));
  await page.waitForURL((url) => url.pathname === '/');
  await expect(chatRow(alice, 'Bob')).toBeVisible();
  await logIn(bob);
  await chatRow(page, 'Alice').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alice');
});
