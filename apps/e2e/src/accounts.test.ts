import { registerOverHttp, submitLogin } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('a guest replaces a forgotten password and returns to the requested page', async ({
  server,
  newPage,
}) => {
  const { email } = await registerOverHttp(server, 'Dora');
  const page = await newPage();
  await page.goto('/profile');
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('link', { name: t('login.forgot') }).click();
  // The login page has such a field, too, and stays until the next page has loaded.
  const submit = page.getByRole('button', { name: t('forgot.submit'), exact: true });
  await submit.waitFor();
  await page.getByLabel(t('field.email'), { exact: true }).fill(email);
  await submit.click();
  await page.waitForURL('**/new-pw');
  await page.getByLabel(t('field.email'), { exact: true }).fill(email);
  await page.getByLabel(t('newPassword.key'), { exact: true }).fill(await server.keyFor(email));
  await page.getByLabel(t('newPassword.password'), { exact: true }).fill('a new password');
  await page.getByRole('button', { name: t('newPassword.submit'), exact: true }).click();
  await expect(page.getByText(t('newPassword.success'))).toBeVisible();
  await submitLogin(page, email, 'a new password');
  await page.waitForURL('**/profile');
  await expect(page.getByText(email)).toBeVisible();
});
