import type { Locator, Page } from 'playwright/test';
import { createBrowserUser, signInOverHttp } from './support/browser-user.ts';
import { chatRow, message, textBox } from './support/chat.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('a guest who registers with an invitation has the chat at once and soon an answer', async ({
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
  await alice.keyboard.press('Escape');

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

  // From here on, the account exists. The messages themselves are not counted as fields.
  let clicks = 0;
  let fields = 0;
  const click = async (control: Locator): Promise<void> => {
    clicks += 1;
    await control.click();
  };
  const fill = async (label: string, value: string): Promise<void> => {
    fields += 1;
    await page.getByLabel(label, { exact: true }).fill(value);
  };
  const send = async (sender: Page, text: string): Promise<void> => {
    await expect(textBox(sender)).toBeVisible();
    await textBox(sender).fill(text);
    await click(sender.getByRole('button', { name: t('composer.send') }));
  };

  await fill(t('verify.key'), await server.keyFor(bob.email));
  await click(page.getByRole('button', { name: t('verify.submit'), exact: true }));
  await page.waitForURL((url) => url.pathname === '/');
  await expect(chatRow(alice, 'Bob')).toBeVisible();
  await fill(t('field.password'), bob.password);
  await click(page.getByRole('button', { name: t('login.submit'), exact: true }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Alice');
  await send(page, 'Hello Alice!');
  await expect(chatRow(alice, 'Bob')).toContainText('Hello Alice!');
  await click(chatRow(alice, 'Bob'));
  await send(alice, 'Hello Bob!');
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  expect(clicks, 'clicks').toBeLessThanOrEqual(5);
  expect(fields, 'fields').toBeLessThanOrEqual(2);
});
