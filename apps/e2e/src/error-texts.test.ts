import type { Page } from 'playwright/test';
import { expect, test } from './support/test.ts';
import { LANGUAGES, localeOf, words, type Say } from './support/texts.ts';
import { seeToast } from './support/toasts.ts';

/** What a form says to answers that a healthy server does not give it. */
interface Row {
  readonly path: string;
  readonly call: string;
  readonly send: (page: Page, t: Say) => Promise<void>;
  readonly texts: readonly (readonly [status: number, text: string])[];
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const fill = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: true }).fill(value);

const ROWS: readonly Row[] = [
  {
    path: '/',
    call: '**/api/users/login',
    async send(page, t) {
      await fill(page, t('field.email'), 'a@example.org');
      await fill(page, t('field.password'), 'some password');
      await press(page, t('login.submit'));
    },
    texts: [[500, 'login.failed']],
  },
  {
    path: '/register',
    call: '**/api/users/register',
    async send(page, t) {
      await fill(page, t('field.email'), 'a@example.org');
      await fill(page, t('field.username'), 'Somebody');
      await fill(page, t('field.password'), 'some password');
      await page.getByRole('checkbox').check();
      await press(page, t('register.submit'));
    },
    texts: [[500, 'register.failed']],
  },
  {
    path: '/register/verify',
    call: '**/api/users/register/verify',
    async send(page, t) {
      await fill(page, t('field.email'), 'a@example.org');
      await fill(page, t('verify.key'), '123456');
      await press(page, t('verify.submit'));
    },
    texts: [[500, 'verify.failed']],
  },
  {
    path: '/forgot-pw',
    call: '**/api/users/forgot-pw',
    async send(page, t) {
      await fill(page, t('field.email'), 'a@example.org');
      await press(page, t('forgot.submit'));
    },
    texts: [
      [401, 'forgot.keyWrong'],
      [500, 'forgot.failed'],
    ],
  },
  {
    path: '/new-pw',
    call: '**/api/users/new-pw',
    async send(page, t) {
      await fill(page, t('field.email'), 'a@example.org');
      await fill(page, t('newPassword.key'), 'abcdefgh');
      await fill(page, t('newPassword.password'), 'some password');
      await press(page, t('newPassword.submit'));
    },
    texts: [[500, 'newPassword.failed']],
  },
];

for (const language of LANGUAGES) {
  const t = words(language);

  test(`a server in trouble is told in each form's own words (${language})`, async ({
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    for (const { path, call, send, texts } of ROWS) {
      for (const [status, text] of texts) {
        await page.goto(path);
        await page.route(call, (route) => route.fulfill({ status, json: {} }));
        await send(page, t);
        await seeToast(page, t(text));
        await expect(page).toHaveURL((url) => url.pathname === path);
        await page.unroute(call);
      }
    }
  });
}

test('the new password reports an error after a moment', async ({ newPage }) => {
  const page = await newPage();
  const t = words('en');
  await page.goto('/new-pw');
  await fill(page, t('field.email'), 'nobody@example.org');
  await fill(page, t('newPassword.key'), 'abcdefgh');
  await fill(page, t('newPassword.password'), 'some password');
  const start = Date.now();
  await press(page, t('newPassword.submit'));
  await expect(page.getByText(t('newPassword.noUser')).first()).toBeVisible();
  expect(Date.now() - start).toBeGreaterThan(1_250);
});
