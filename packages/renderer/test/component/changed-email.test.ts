import { createApiClient } from '@parley/client';
import { createMemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { expectPath } from './support/expect-path.ts';
import { openApp } from './support/open-app.ts';
import { readPageStorage } from './support/page-storage.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const PASSWORD = 'correct horse';
const FORMER = 'alice@example.org';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const section = page.getByRole('region', { name: t('settings.email'), exact: true });
  const field = (key: string) => section.getByLabelText(t(key), { exact: true });
  const press = (key: string) => section.getByRole('button', { name: t(key), exact: true }).click();
  const request = async (email: string, password = PASSWORD) => {
    await field('settings.newEmail').fill(email);
    await field('field.password').fill(password);
    await press('settings.changeEmail');
  };

  test(`the email address changes with the password and the key in the mail (${language})`, async () => {
    const { server, reload } = await openApp({ user: 'Alice', path: '/settings', language });
    const shown = (email: string) => section.getByText(t('settings.emailHelp', { email }));
    await expect.element(shown(FORMER)).toBeVisible();
    await request('ALICE@example.org');
    await expect
      .element(field('settings.newEmail'))
      .toHaveAccessibleDescription(t('settings.emailOwn'));
    await request('alice@new.example', 'wrong password');
    await closeToast(t('settings.failed'));
    await expect
      .element(field('field.password'))
      .toHaveAccessibleDescription(t('settings.passwordWrong'));
    await field('field.password').fill(PASSWORD);
    await press('settings.changeEmail');
    const sent = t('settings.emailKeySent', { email: 'alice@new.example' });
    await expect.element(section.getByText(sent)).toBeVisible();
    await expect.element(section.getByRole('heading')).toHaveFocus();

    await reload('/settings');
    await expect.element(section.getByText(sent)).toBeVisible();
    await press('settings.emailCancel');
    await expect.element(field('settings.newEmail')).toBeVisible();

    await request('alice@new.example');
    await field('settings.emailKey').fill('000000');
    await press('settings.emailConfirm');
    await closeToast(t('settings.failed'));
    await expect
      .element(field('settings.emailKey'))
      .toHaveAccessibleDescription(t('settings.emailKeyWrong'));
    await field('settings.emailKey').fill(server.keyFor('alice@new.example'));
    await press('settings.emailConfirm');
    await closeToast(t('settings.updated'));
    await expect.element(shown('alice@new.example')).toBeVisible();
    await expect.element(field('settings.newEmail')).toBeVisible();
    expect(await actAs(server, 'Alice').call('getCurrentUser')).toMatchObject({
      usermail: 'alice@new.example',
    });
  });

  test(`the addresses in open settings follow another device, also after a gap (${language})`, async () => {
    const { server, browser } = await openApp({ user: 'Alice', path: '/settings', language });
    const other = actAs(server, 'Alice');
    const wanted = (email: string) =>
      other.call('requestEmailChange', { body: { email, password: PASSWORD } });
    const heading = section.getByRole('heading');
    await field('settings.newEmail').fill('half@');
    await wanted('first@example.org');
    const sent = (email: string) => section.getByText(t('settings.emailKeySent', { email }));
    await expect.element(sent('first@example.org')).toBeVisible();
    await expect.element(heading).toHaveFocus();
    await other.call('cancelEmailChange');
    await expect.element(field('settings.newEmail')).toBeVisible();
    await wanted('second@example.org');
    await field('settings.emailKey').fill('12');
    await wanted('third@example.org');
    await expect.element(sent('third@example.org')).toBeVisible();
    await expect.element(field('settings.emailKey')).toHaveValue('');
    await expect.element(heading).toHaveFocus();

    browser.setOnline(false);
    await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
    const body = { email: 'third@example.org', key: server.keyFor('third@example.org') };
    await other.call('confirmEmailChange', { body });
    browser.setOnline(true);
    await expect
      .element(section.getByText(t('settings.emailHelp', { email: body.email })))
      .toBeVisible();
    await expect.element(field('settings.newEmail')).toBeVisible();
    // A changed password ends the request for another address.
    await wanted('fourth@example.org');
    await expect.element(sent('fourth@example.org')).toBeVisible();
    const passwords = { oldPassword: PASSWORD, newPassword: 'a new password' };
    const api = createApiClient({ origin: server.origin, fetch: browser.fetch });
    await api.call('changePassword', { body: passwords });
    await expect.element(field('settings.newEmail')).toBeVisible();
  });

  test(`the former address takes the account back, which leads to a new password (${language})`, async () => {
    const server = createMemoryServer(location.origin);
    server.addUser({ username: 'Alice', language });
    const other = actAs(server, 'Alice');
    const email = 'mallory@example.org';
    await other.call('requestEmailChange', { body: { email, password: PASSWORD } });
    await other.call('confirmEmailChange', { body: { email, key: server.keyFor(email) } });
    const key = server.keyFor(FORMER);

    // The user is still signed in here.
    const { reload } = await openApp({ server, user: 'Alice', language });
    await reload(`/email-restore#key=${key}`);
    const submit = page.getByRole('button', { name: t('restoreEmail.submit'), exact: true });
    await expect.element(page.getByText(t('restoreEmail.lead'))).toBeVisible();
    expect(page.getByLabelText(t('restoreEmail.key'), { exact: true }).elements()).toEqual([]);
    await submit.click();
    await expect.element(page.getByText(t('restoreEmail.success')).first()).toBeVisible();
    await expectPath('/new-pw');
    await expect
      .element(page.getByLabelText(t('field.email'), { exact: true }))
      .toHaveValue(FORMER);
    await expect(other.call('getCurrentUser')).rejects.toMatchObject({ status: 401 });

    // The link works once. A key can be entered, as mails have no link without a public URL.
    await reload(`/email-restore#key=${key}`);
    await submit.click();
    await expect.element(page.getByText(t('restoreEmail.invalid'))).toBeVisible();
    await reload('/');
    await page.getByRole('link', { name: t('login.forgot') }).click();
    await page.getByRole('link', { name: t('forgot.emailChanged') }).click();
    await expectPath('/email-restore');
    await expect.element(page.getByText(t('restoreEmail.leadKey'))).toBeVisible();
    const keyField = page.getByLabelText(t('restoreEmail.key'), { exact: true });
    await submit.click();
    await expect.element(keyField).toHaveAccessibleDescription(t('field.keyRequired'));
    await keyField.fill(key);
    await submit.click();
    await expect.element(keyField).toHaveAccessibleDescription(t('restoreEmail.invalidKey'));
  });

  test(`an account is taken back while another one is signed in, which is logged out first (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Bob', 'Alice']);
    const email = 'mallory@example.org';
    const other = actAs(server, 'Alice');
    await other.call('requestEmailChange', { body: { email, password: PASSWORD } });
    await other.call('confirmEmailChange', { body: { email, key: server.keyFor(email) } });
    const path = `/chatarea/chats/${room}`;
    const { reload } = await openApp({ server, user: 'Bob', path, language });
    let sends = 0;
    server.intercept('sendMessage', () => {
      sends += 1;
      return new Promise<never>(() => undefined);
    });
    await sendWithEnter('not sent yet');
    await expect.poll(() => sends).toBe(1);

    await reload(`/email-restore#key=${server.keyFor(FORMER)}`);
    const toChats = page.getByRole('link', { name: t('invite.toChats') });
    await expect.element(toChats).toBeVisible();
    await page.getByRole('button', { name: t('restoreEmail.submit'), exact: true }).click();
    const signedIn = page.getByText(t('newPassword.signOutFirst', { name: 'Bob' }));
    await expect.element(signedIn).toBeVisible();
    await expectPath('/new-pw');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
    await expect.element(toChats).toHaveAttribute('href', '/chatarea');

    const logOut = page.getByRole('button', { name: t('frame.logout'), exact: true });
    const dialog = page.getByRole('alertdialog');
    await logOut.click();
    await expect.element(dialog.getByText(t('frame.logoutUnsentText'))).toBeVisible();
    await dialog.getByRole('button', { name: t('app.cancel') }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(signedIn).toBeVisible();
    await logOut.click();
    await dialog.getByRole('button', { name: t('frame.logout'), exact: true }).click();
    const emailField = page.getByLabelText(t('field.email'), { exact: true });
    await expect.element(emailField).toHaveValue(FORMER);
    const keyField = page.getByLabelText(t('newPassword.key'), { exact: true });
    await expect.element(keyField).toHaveFocus();
    await expect.poll(readPageStorage).not.toMatch(/not sent yet|Bob/);

    await keyField.fill(server.keyFor(FORMER));
    const password = 'a new password';
    await page.getByLabelText(t('newPassword.password'), { exact: true }).fill(password);
    await page.getByRole('button', { name: t('newPassword.submit'), exact: true }).click();
    await expectPath('/');
    const login = await actAs(server).call('login', { body: { email: FORMER, password } });
    expect(login).toEqual({ isVerified: true });
  });
}
