import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PATHS } from '../../src/navigation/paths.ts';
import { createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';

const EMAIL = 'carla@example.org';
const heading = page.getByRole('heading', { level: 1 });

/** Fills in fields by the keys of their labels, and presses the button with this key. */
async function submitFields(
  t: Translator,
  fields: Readonly<Record<string, string>>,
  button: string,
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabelText(t(label), { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: t(button), exact: true }).click();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const email = page.getByLabelText(t('field.email'), { exact: true });
  const expectText = (key: string, values?: Record<string, number | string>) =>
    expect.element(page.getByText(t(key, values)).first()).toBeVisible();

  const logIn = (address: string, password: string) =>
    submitFields(t, { 'field.email': address, 'field.password': password }, 'login.submit');

  test(`registering, verifying and logging in show their results (${language})`, async () => {
    const { server, reload } = await openApp({ path: '/register', language });
    const register = (username: string, password: string, address = EMAIL) =>
      submitFields(
        t,
        { 'field.email': address, 'field.username': username, 'field.password': password },
        'register.submit',
      );
    const privacy = page.getByRole('link', { name: /privacy|Datenschutz/i });
    await expect.element(privacy.first()).toHaveAttribute('target', '_blank');
    await expect.element(privacy.first()).toHaveAttribute('href', PATHS.privacy);
    await register('C', 'short');
    await expectText('register.privacyRequired');
    await expectText('field.usernameLength', { min: 2, max: 20 });
    await expectText('field.passwordShort_other', { count: 6 });
    await page.getByRole('checkbox').click();
    await register('Carla', 'correct horse');
    await expectText('register.success');
    await expectPath('/register/verify');

    await reload('/register');
    await page.getByRole('checkbox').click();
    await register('carla', 'something else', 'other@example.org');
    await expectText('register.taken');

    await reload('/');
    await logIn(EMAIL, 'correct horse');
    await expectText('login.unverified');
    await expectPath('/');

    const key = server.keyFor(EMAIL);
    const wrong = key === '000000' ? '111111' : '000000';
    const verify = (value: string) =>
      submitFields(t, { 'field.email': EMAIL, 'verify.key': value }, 'verify.submit');
    await page.getByRole('link', { name: t('login.notVerified') }).click();
    await expect.element(heading).toHaveTextContent(t('verify.title'));
    await verify(wrong);
    await expectText('verify.mismatch');
    // A key that was copied from the email may have whitespace around it.
    await verify(`  ${key} `);
    await expectText('verify.success');
    await expectPath('/');
    await expect.element(email).toHaveValue(EMAIL);
    await expect.element(page.getByLabelText(t('field.password'), { exact: true })).toHaveFocus();
    await reload('/register/verify');
    await verify(key);
    await expectText('verify.already');

    await reload('/');
    await logIn(EMAIL, 'not my password');
    await expectText('login.wrong');
    await logIn(EMAIL, 'correct horse');
    await expectText('login.success');
    await expectPath('/chatarea');
    await expectText('app.greeting', { name: 'Carla' });
  });

  test(`a forgotten password is replaced with the key from the email (${language})`, async () => {
    const server = createServerWith(['Carla'], language);
    await openApp({ server, language });
    await page.getByRole('link', { name: t('login.forgot') }).click();
    await expect.element(heading).toHaveTextContent(t('forgot.title'));
    await submitFields(t, { 'field.email': 'nobody@example.org' }, 'forgot.submit');
    await expectText('forgot.noUser');
    await submitFields(t, { 'field.email': EMAIL }, 'forgot.submit');
    await expectText('forgot.success');
    await expectPath('/new-pw');
    await expect.element(heading).toHaveTextContent(t('newPassword.title'));

    const reset = (address: string, key: string) =>
      submitFields(
        t,
        {
          'field.email': address,
          'newPassword.key': key,
          'newPassword.password': 'a new password',
        },
        'newPassword.submit',
      );
    await reset('nobody@example.org', 'aaaaaaaa');
    await expectText('newPassword.noUser');
    await reset(EMAIL, 'aaaaaaaa');
    await expectText('newPassword.keyWrong');
    await reset(EMAIL, server.keyFor(EMAIL));
    await expectText('newPassword.success');
    await expect.element(heading).toHaveTextContent(t('login.title'));
    await expect.element(email).toHaveValue(EMAIL);
    await logIn(EMAIL, 'a new password');
    await expectPath('/chatarea');
  });
}

test('an address with an international domain is shown as typed and has one account', async () => {
  const t = createTranslator('en');
  const { server, reload } = await openApp({ path: '/register' });
  const email = page.getByLabelText(t('field.email'), { exact: true });
  const register = async (address: string, username: string) => {
    await page.getByRole('checkbox').click();
    await submitFields(
      t,
      { 'field.email': address, 'field.username': username, 'field.password': 'correct horse' },
      'register.submit',
    );
  };
  await register(' Carla@Straße.example ', 'Carla');
  await expectPath('/register/verify');
  await expect.element(email).toHaveValue('carla@straße.example');
  const key = server.keyFor('carla@xn--strae-oqa.example');
  await submitFields(t, { 'verify.key': key }, 'verify.submit');
  await expectPath('/');
  await expect.element(email).toHaveValue('carla@straße.example');
  await reload('/register');
  await register('carla@xn--strae-oqa.example.', 'Carla2');
  await expect.element(page.getByText(t('register.takenField'))).toBeVisible();
  await reload('/profile');
  for (const address of ['carla@strasse.example', 'CARLA@STRAẞE.example']) {
    await submitFields(
      t,
      { 'field.email': address, 'field.password': 'correct horse' },
      'login.submit',
    );
    if (address === 'carla@strasse.example') {
      await expect.element(page.getByText(t('login.wrongField'))).toBeVisible();
    }
  }
  await expectPath('/profile');
});

test('a guest is redirected to the login and then back to the requested page', async () => {
  const t = createTranslator('en');
  await openApp({ server: createServerWith(['Carla']), path: '/profile' });
  await expectPath('/');
  await submitFields(
    t,
    { 'field.email': EMAIL, 'field.password': 'correct horse' },
    'login.submit',
  );
  await expectPath('/profile');
  await expect.element(page.getByText(EMAIL)).toBeVisible();
});
