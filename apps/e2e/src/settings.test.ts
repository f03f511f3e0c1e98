import { signUpOverHttp, submitLogin, signInOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`every change of a setting shows its result (${language})`, async ({ server, newPage }) => {
    const page = await newPage({ locale: localeOf(language) });
    const { email, password } = await signInOverHttp(page, server, 'Alice', language);
    await page.goto('/settings');
    const volume = page.getByRole('radiogroup', { name: t('settings.volume') });
    const middle = volume.getByRole('radio', { name: t('settings.volumeMiddle') });
    const loud = volume.getByRole('radio', { name: t('settings.volumeLoud') });
    const current = page.getByLabel(t('settings.currentPassword'), { exact: true });
    const next = page.getByLabel(t('settings.newPassword'), { exact: true });
    const change = async (from: string, to: string) => {
      await current.fill(from);
      await next.fill(to);
      await page.getByRole('button', { name: t('settings.changePassword') }).click();
    };
    const expectCleared = async () => {
      await expect(current).toHaveValue('');
      await expect(next).toHaveValue('');
    };

    await test.step('the volume changes, and stays the same if the request fails', async () => {
      await expect(middle).toBeChecked();
      await loud.click();
      await dismissToast(page, t('settings.updated'));
      await page.reload();
      await expect(loud).toBeChecked();
      await page.route('**/api/users/volume', (route) => route.fulfill({ status: 500 }));
      await middle.click();
      await dismissToast(page, t('settings.failed'));
      await expect(loud).toBeChecked();
    });

    await test.step('the language stays the same if the server is unreachable', async () => {
      await page.route('**/api/users/language', (route) => route.abort());
      await page.getByRole('radio', { name: language === 'en' ? 'Deutsch' : 'English' }).click();
      await dismissToast(page, `${t('settings.failed')} ${t('error.offline')}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('settings.title'));
    });

    await test.step('one toggle shows both passwords, and the field shows that a password is too short', async () => {
      await page.getByRole('button', { name: t('settings.showPasswords') }).click();
      await expect(current).toHaveAttribute('type', 'text');
      await expect(next).toHaveAttribute('type', 'text');
      await page.getByRole('button', { name: t('settings.showPasswords') }).click();
      await expect(next).toHaveAttribute('type', 'password');
      await change(password, 'short');
      await expect(page.getByText(t('field.passwordShort_other', { count: 6 }))).toBeVisible();
    });

    await test.step('a wrong password is rejected, the right one changes the password, and the fields are cleared', async () => {
      await change('not my password', 'a new password');
      await dismissToast(page, t('settings.failed'));
      await expectCleared();
      await expect(page.getByText(t('settings.passwordWrong'))).toBeVisible();
      await change(password, 'a new password');
      await dismissToast(page, t('settings.updated'));
      await expectCleared();
      const login = { data: { email, password: 'a new password' } };
      const elsewhere = await newPage();
      expect((await elsewhere.request.post('/api/users/login', login)).status()).toBe(200);
    });

    await test.step('the account is deleted only after a confirmation', async () => {
      const open = page.getByRole('button', { name: t('settings.delete') });
      const confirmation = page.getByRole('alertdialog', { name: t('settings.deleteTitle') });
      await open.click();
      await confirmation.getByRole('button', { name: t('settings.deleteCancel') }).click();
      await expect(confirmation).toHaveCount(0);
      await expect(open).toBeFocused();
      await page.route('**/api/users/delete', (route) => route.fulfill({ status: 500 }));
      await open.click();
      await confirmation.getByRole('button', { name: t('settings.deleteConfirm') }).click();
      await dismissToast(page, t('settings.deleteFailed'));
      await page.unroute('**/api/users/delete');
      await open.click();
      await confirmation.getByRole('button', { name: t('settings.deleteConfirm') }).click();
      await dismissToast(page, t('settings.deleted'));
      await expect(page).toHaveURL((url) => url.pathname === '/');
      await submitLogin(page, email, 'a new password', language);
      await dismissToast(page, t('login.wrong'));
    });
  });
}

test('settings that change on another device apply immediately, or after a reconnect', async ({
  server,
  newPage,
}) => {
  const phone = await newPage();
  const laptop = await newPage();
  const { email, password } = await signUpOverHttp(phone, server, 'Alice');
  await laptop.goto('/');
  await submitLogin(laptop, email, password);
  await laptop.waitForURL('**/chatarea');
  await laptop.goto('/settings');
  await phone.goto('/settings');
  const silent = { en: 'Silent', de: createTranslator('de')('settings.volumeSilent') };
  await expect(laptop.getByRole('radio', { name: 'Middle' })).toBeChecked();
  await phone.getByRole('radio', { name: silent.en }).click();
  await expect(laptop.getByRole('radio', { name: silent.en })).toBeChecked();
  await dismissToast(phone, createTranslator('en')('settings.updated'));
  await phone.getByRole('radio', { name: 'Deutsch' }).click();
  await dismissToast(phone, createTranslator('de')('settings.updated'));
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText(
    createTranslator('de')('settings.title'),
  );
  await expect(laptop.getByRole('radio', { name: silent.de })).toBeChecked();

  await laptop.context().setOffline(true);
  await expect(laptop.getByText(createTranslator('de')('connection.offline'))).toBeVisible();
  await phone.getByRole('radio', { name: createTranslator('de')('settings.volumeLoud') }).click();
  await dismissToast(phone, createTranslator('de')('settings.updated'));
  await phone.getByRole('radio', { name: 'English' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(
    createTranslator('en')('settings.title'),
  );
  await laptop.context().setOffline(false);
  await expect(laptop.getByRole('heading', { level: 1 })).toHaveText(
    createTranslator('en')('settings.title'),
  );
  await expect(laptop.getByRole('radio', { name: 'Loud' })).toBeChecked();
});
