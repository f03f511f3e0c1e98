import { UI } from '@parley/contract';
import type { Page } from 'playwright/test';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator, type Translator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

const EMAIL = ['field.email', 'a@example.org'] as const;
const PASSWORD = ['field.password', 'some password'] as const;

/** A form, and the keys of its texts for responses that only a failing server sends. */
interface FormCase {
  readonly path: string;
  readonly call: string;
  readonly fields: readonly (readonly [label: string, value: string])[];
  readonly submit: string;
  readonly texts: readonly (readonly [status: number, text: string])[];
}

const NEW_PASSWORD: FormCase = {
  path: '/new-pw',
  call: '**/api/users/new-pw',
  fields: [EMAIL, ['newPassword.key', 'abcdefgh'], ['newPassword.password', 'some password']],
  submit: 'newPassword.submit',
  texts: [[500, 'newPassword.failed']],
};

const LOGIN: FormCase = {
  path: '/',
  call: '**/api/users/login',
  fields: [EMAIL, PASSWORD],
  submit: 'login.submit',
  texts: [[500, 'login.failed']],
};

const FORMS: readonly FormCase[] = [
  LOGIN,
  {
    path: '/register',
    call: '**/api/users/register',
    fields: [EMAIL, ['field.username', 'Somebody'], PASSWORD],
    submit: 'register.submit',
    texts: [[500, 'register.failed']],
  },
  {
    path: '/register/verify',
    call: '**/api/users/register/verify',
    fields: [EMAIL, ['verify.key', '123456']],
    submit: 'verify.submit',
    texts: [[500, 'verify.failed']],
  },
  {
    path: '/forgot-pw',
    call: '**/api/users/forgot-pw',
    fields: [EMAIL],
    submit: 'forgot.submit',
    texts: [
      [401, 'forgot.keyWrong'],
      [500, 'forgot.failed'],
    ],
  },
  NEW_PASSWORD,
];

async function fillIn(page: Page, t: Translator, { path, fields }: FormCase): Promise<void> {
  for (const [label, value] of fields) await page.getByLabel(t(label), { exact: true }).fill(value);
  if (path === '/register') await page.getByRole('checkbox').check();
}

async function submitForm(page: Page, t: Translator, { submit }: FormCase): Promise<void> {
  await page.getByRole('button', { name: t(submit), exact: true }).click();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`each form shows its own text for a server error (${language})`, async ({ newPage }) => {
    const page = await newPage({ locale: localeOf(language) });
    for (const form of FORMS) {
      const { path, call, texts } = form;
      for (const [status, text] of texts) {
        await page.goto(path);
        await page.route(call, (route) => route.fulfill({ status, json: {} }));
        await fillIn(page, t, form);
        await submitForm(page, t, form);
        await dismissToast(page, t(text));
        await expect(page).toHaveURL((url) => url.pathname === path);
        await page.unroute(call);
      }
    }

    await page.goto(LOGIN.path);
    const suspended = { code: 'account_suspended', errorMessage: 'No.' };
    await page.route(LOGIN.call, (route) => route.fulfill({ status: 403, json: suspended }));
    await fillIn(page, t, LOGIN);
    await submitForm(page, t, LOGIN);
    await dismissToast(page, t('login.failed'));
    await expect(page.getByText(t('login.suspended'))).toBeVisible();
  });
}

test('the new-password form shows an error after a delay', async ({ newPage }) => {
  const page = await newPage();
  const t = createTranslator('en');
  await page.clock.install();
  await page.goto(NEW_PASSWORD.path);
  await fillIn(page, t, NEW_PASSWORD);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const responded = page.waitForResponse(NEW_PASSWORD.call);
  await submitForm(page, t, NEW_PASSWORD);
  await (await responded).finished();
  const error = page.getByText(t('newPassword.noUser')).first();
  await page.clock.runFor(UI.newPasswordErrorDelay - 100);
  await expect(error).toHaveCount(0);
  await expect(async () => {
    await page.clock.runFor(100);
    expect(await error.isVisible()).toBe(true);
  }).toPass();
});
