import {
  createBrowserUser,
  submitLogin,
  submitRegistration,
  submitVerification,
} from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`registering, verifying and logging in show their results (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    const person = createBrowserUser(page, 'Carla');

    await test.step('the privacy notice opens in a new tab, and the checkbox is required', async () => {
      await page.goto('/register');
      const opened = page.waitForEvent('popup');
      await page
        .getByRole('link', { name: language === 'en' ? 'Privacy' : 'Datenschutz' })
        .first()
        .click();
      const privacy = await opened;
      await expect(privacy.getByRole('heading', { level: 1 })).toHaveText(t('privacy.title'));
      await privacy.close();
      await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
      await page.getByLabel(t('field.username'), { exact: true }).fill('C');
      await page.getByLabel(t('field.password'), { exact: true }).fill('short');
      await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
      await expect(page.getByText(t('register.privacyRequired'))).toBeVisible();
      await expect(page.getByText(t('field.usernameLength', { min: 2, max: 20 }))).toBeVisible();
      await expect(page.getByText(t('field.passwordShort_other', { count: 6 }))).toBeVisible();
    });

    await test.step('a successful registration leads to the verification', async () => {
      await submitRegistration(person, language);
      await page.waitForURL('**/register/verify');
    });

    await test.step('a username or email that is already taken is rejected', async () => {
      await page.goto('/register');
      await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
      await page.getByLabel(t('field.username'), { exact: true }).fill('carla');
      await page.getByLabel(t('field.password'), { exact: true }).fill('something else');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
      await expect(page.getByText(t('register.taken'))).toBeVisible();
    });

    await test.step('an unverified account cannot log in', async () => {
      await page.goto('/');
      await submitLogin(page, person.email, person.password, language);
      await expect(page.getByText(t('login.unverified'))).toBeVisible();
      await expect(page).toHaveURL((url) => url.pathname === '/');
    });

    await test.step('a wrong key is rejected, and the right one accepted once', async () => {
      const key = await server.keyFor(person.email);
      const wrong = key === '000000' ? '111111' : '000000';
      await page.getByRole('link', { name: t('login.notVerified') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('verify.title'));
      await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
      await page.getByLabel(t('verify.key'), { exact: true }).fill(wrong);
      await page.getByRole('button', { name: t('verify.submit'), exact: true }).click();
      await expect(page.getByText(t('verify.mismatch'))).toBeVisible();
      // A key that was copied from the email may have whitespace around it.
      await submitVerification(person, `  ${key} `, language);
      await page.waitForURL((url) => url.pathname === '/');
      await expect(page.getByLabel(t('field.email'), { exact: true })).toHaveValue(person.email);
      await expect(page.getByLabel(t('field.password'), { exact: true })).toBeFocused();
      await page.goto('/register/verify');
      await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
      await page.getByLabel(t('verify.key'), { exact: true }).fill(key);
      await page.getByRole('button', { name: t('verify.submit'), exact: true }).click();
      await expect(page.getByText(t('verify.already'))).toBeVisible();
    });

    await test.step('a wrong password is rejected, and the right one leads to the chats', async () => {
      await page.goto('/');
      await submitLogin(page, person.email, 'not my password', language);
      await expect(page.getByText(t('login.wrong'))).toBeVisible();
      await submitLogin(page, person.email, person.password, language);
      await expect(page.getByText(t('login.success'))).toBeVisible();
      await page.waitForURL('**/chatarea');
      await expect(page.getByText(t('app.greeting', { name: 'Carla' }))).toBeVisible();
    });
  });

  test(`a forgotten password is replaced with the key from the email (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    const person = createBrowserUser(page, 'Dora');
    await submitRegistration(person, language);
    await page.waitForURL('**/register/verify');
    await submitVerification(person, await server.keyFor(person.email), language);
    await page.waitForURL((url) => url.pathname === '/');

    const heading = page.getByRole('heading', { level: 1 });
    await page.getByRole('link', { name: t('login.forgot') }).click();
    await expect(heading).toHaveText(t('forgot.title'));
    await page.getByLabel(t('field.email'), { exact: true }).fill('nobody@example.org');
    await page.getByRole('button', { name: t('forgot.submit'), exact: true }).click();
    await expect(page.getByText(t('forgot.noUser')).first()).toBeVisible();

    await page.getByLabel(t('field.email'), { exact: true }).fill(person.email);
    await page.getByRole('button', { name: t('forgot.submit'), exact: true }).click();
    await expect(page.getByText(t('forgot.success'))).toBeVisible();
    await page.waitForURL('**/new-pw');
    await expect(heading).toHaveText(t('newPassword.title'));

    const submit = async (email: string, key: string) => {
      await page.getByLabel(t('field.email'), { exact: true }).fill(email);
      await page.getByLabel(t('newPassword.key'), { exact: true }).fill(key);
      await page.getByLabel(t('newPassword.password'), { exact: true }).fill('a new password');
      await page.getByRole('button', { name: t('newPassword.submit'), exact: true }).click();
    };
    await submit('nobody@example.org', 'aaaaaaaa');
    await expect(page.getByText(t('newPassword.noUser')).first()).toBeVisible();
    await submit(person.email, 'aaaaaaaa');
    await expect(page.getByText(t('newPassword.keyWrong')).first()).toBeVisible();
    await submit(person.email, await server.keyFor(person.email));
    await expect(page.getByText(t('newPassword.success'))).toBeVisible();
    await expect(heading).toHaveText(t('login.title'));
    await expect(page.getByLabel(t('field.email'), { exact: true })).toHaveValue(person.email);
    await submitLogin(page, person.email, 'a new password', language);
    await page.waitForURL('**/chatarea');
  });
}

test('a guest is redirected to the login and then back to the requested page', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  const person = createBrowserUser(page, 'Emil');
  await submitRegistration(person);
  await page.waitForURL('**/register/verify');
  await submitVerification(person, await server.keyFor(person.email));
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto('/profile');
  await page.waitForURL((url) => url.pathname === '/');
  await submitLogin(page, person.email, person.password);
  await page.waitForURL('**/profile');
  await expect(page.getByText(person.email)).toBeVisible();
});
