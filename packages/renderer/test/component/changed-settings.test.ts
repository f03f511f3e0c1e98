import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { expectPath } from './support/expect-path.ts';
import { toastWith } from './support/locators.ts';
import { noResponse } from './support/no-response.ts';
import { openApp } from './support/open-app.ts';

const EMAIL = 'alice@example.org';
const PASSWORD = 'correct horse';
const heading = page.getByRole('heading', { level: 1 });
const serverError = () => new Response(null, { status: 500 });

/** Opens the settings of Alice, who has this password. */
async function openSettings(language: 'en' | 'de') {
  const server = createServerWith([]);
  server.addUser({ username: 'Alice', email: EMAIL, password: PASSWORD, language });
  return openApp({ server, user: 'Alice', path: '/settings', language, reducedMotion: true });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the volume and the language change, and stay the same if the request fails (${language})`, async () => {
    const { server, reload } = await openSettings(language);
    const radio = (name: string) => page.getByRole('radio', { name });
    await expect.element(radio(t('settings.volumeMiddle'))).toBeChecked();
    await radio(t('settings.volumeLoud')).click();
    await closeToast(t('settings.updated'));
    await reload();
    await expect.element(radio(t('settings.volumeLoud'))).toBeChecked();
    server.intercept('changeVolume', serverError);
    await radio(t('settings.volumeMiddle')).click();
    await closeToast(t('settings.failed'));
    await expect.element(radio(t('settings.volumeLoud'))).toBeChecked();

    server.intercept('changeLanguage', noResponse);
    await radio(language === 'en' ? 'Deutsch' : 'English').click();
    await closeToast(`${t('settings.failed')} ${t('error.offline')}`);
    await expect.element(heading).toHaveTextContent(t('settings.title'));
  });

  test(`the password changes with the current one, and the fields show what is wrong (${language})`, async () => {
    const { server } = await openSettings(language);
    const current = page.getByLabelText(t('settings.currentPassword'), { exact: true });
    const next = page.getByLabelText(t('settings.newPassword'), { exact: true });
    const show = page.getByRole('button', { name: t('settings.showPasswords') });
    const change = async (from: string, to: string) => {
      await current.fill(from);
      await next.fill(to);
      await page.getByRole('button', { name: t('settings.changePassword') }).click();
    };
    const expectCleared = async () => {
      await expect.element(current).toHaveValue('');
      await expect.element(next).toHaveValue('');
    };
    await show.click();
    await expect.element(current).toHaveAttribute('type', 'text');
    await expect.element(next).toHaveAttribute('type', 'text');
    await show.click();
    await expect.element(next).toHaveAttribute('type', 'password');
    await change(PASSWORD, 'short');
    await expect
      .element(page.getByText(t('field.passwordShort_other', { count: 6 })))
      .toBeVisible();

    await change('not my password', 'a new password');
    await closeToast(t('settings.failed'));
    await expectCleared();
    await expect.element(page.getByText(t('settings.passwordWrong'))).toBeVisible();
    await change(PASSWORD, 'a new password');
    await closeToast(t('settings.updated'));
    await expectCleared();
    await actAs(server).call('login', { body: { email: EMAIL, password: 'a new password' } });
  });

  test(`the account is deleted only after a confirmation (${language})`, async () => {
    const { server } = await openSettings(language);
    const open = page.getByRole('button', { name: t('settings.delete') });
    const confirmation = page.getByRole('alertdialog', { name: t('settings.deleteTitle') });
    const confirm = confirmation.getByRole('button', { name: t('settings.deleteConfirm') });
    await open.click();
    await confirmation.getByRole('button', { name: t('settings.deleteCancel') }).click();
    await expect.element(confirmation).not.toBeInTheDocument();
    await expect.element(open).toHaveFocus();
    const mend = server.intercept('deleteAccount', serverError);
    await open.click();
    await confirm.click();
    await closeToast(t('settings.deleteFailed'));
    mend();
    await open.click();
    await confirm.click();
    await expect.element(toastWith(t('settings.deleted'))).toBeVisible();
    await expectPath('/');
    const login = { body: { email: EMAIL, password: PASSWORD } };
    await expect(actAs(server).call('login', login)).rejects.toThrow('wrong_credentials');
  });
}
