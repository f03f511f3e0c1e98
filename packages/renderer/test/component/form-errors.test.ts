import { UI, type EndpointName } from '@parley/contract';
import { errorResponse } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const EMAIL = ['field.email', 'a@example.org'] as const;
const USERNAME = ['field.username', 'New_user'] as const;
const PASSWORD = ['field.password', 'some password'] as const;

/** A form, and the keys of its texts for responses that only a failing server sends. */
interface FormCase {
  readonly path: string;
  readonly endpoint: EndpointName;
  readonly fields: readonly (readonly [label: string, value: string])[];
  readonly submit: string;
  readonly texts: readonly (readonly [status: number, text: string])[];
}

const LOGIN: FormCase = {
  path: '/',
  endpoint: 'login',
  fields: [EMAIL, PASSWORD],
  submit: 'login.submit',
  texts: [[500, 'login.failed']],
};

const NEW_PASSWORD: FormCase = {
  path: '/new-pw',
  endpoint: 'resetPassword',
  fields: [EMAIL, ['newPassword.key', 'abcdefgh'], ['newPassword.password', 'some password']],
  submit: 'newPassword.submit',
  texts: [[500, 'newPassword.failed']],
};

const REGISTER: FormCase = {
  path: '/register',
  endpoint: 'register',
  fields: [EMAIL, USERNAME, PASSWORD],
  submit: 'register.submit',
  texts: [[500, 'register.failed']],
};

const VERIFY: FormCase = {
  path: '/register/verify',
  endpoint: 'verify',
  fields: [EMAIL, ['verify.key', '123456']],
  submit: 'verify.submit',
  texts: [[500, 'verify.failed']],
};

const FORMS: readonly FormCase[] = [
  LOGIN,
  REGISTER,
  VERIFY,
  {
    path: '/forgot-pw',
    endpoint: 'requestReset',
    fields: [EMAIL],
    submit: 'forgot.submit',
    texts: [
      [401, 'forgot.keyWrong'],
      [500, 'forgot.failed'],
    ],
  },
  NEW_PASSWORD,
];

/** Fills in and submits a form. */
async function sendForm(t: Translator, { path, fields, submit }: FormCase): Promise<void> {
  for (const [label, value] of fields) {
    await page.getByLabelText(t(label), { exact: true }).fill(value);
  }
  if (path === '/register') await page.getByRole('checkbox').click();
  await page.getByRole('button', { name: t(submit), exact: true }).click();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`each form shows its own text for a server error (${language})`, async () => {
    const { server, reload } = await openApp({ language });
    for (const form of FORMS) {
      for (const [status, text] of form.texts) {
        await reload(form.path);
        const restore = server.intercept(form.endpoint, () => Response.json({}, { status }));
        await sendForm(t, form);
        await expect.element(toastWith(t(text))).toBeVisible();
        expect(location.pathname).toBe(form.path);
        restore();
      }
    }

    await reload(LOGIN.path);
    const suspended = { code: 'account_suspended', errorMessage: 'No.' };
    server.intercept('login', () => Response.json(suspended, { status: 403 }));
    await sendForm(t, LOGIN);
    await expect.element(toastWith(t('login.failed'))).toBeVisible();
    await expect.element(page.getByText(t('login.suspended'))).toBeVisible();
  });

  test(`forms say that a limit is one of the network (${language})`, async () => {
    const { server, reload } = await openApp({ language });
    const body = { code: 'rate_limited', errorMessage: 'No.', limitedBy: 'network' };
    const headers = { 'retry-after': '1500' };
    for (const [form, text] of [
      [REGISTER, 'register.refused'],
      [VERIFY, 'verify.refused'],
      [LOGIN, 'login.failed'],
    ] as const) {
      server.intercept(form.endpoint, () => Response.json(body, { status: 429, headers }));
      await reload(form.path);
      await sendForm(t, form);
      await expect.element(toastWith(t(text))).toBeVisible();
      const cause = page.getByText(t('cause.networkLimitMinutes_other', { count: 25 }));
      await expect.element(cause).toBeVisible();
    }
  });

  test(`the login names a cause that the user can remove (${language})`, async () => {
    const { server } = await openApp({ server: createServerWith(['A'], language), language });
    const restore = server.intercept('getCurrentUser', () => errorResponse('unauthenticated'));
    const login = { ...LOGIN, fields: [EMAIL, ['field.password', 'correct horse'] as const] };
    await sendForm(t, login);
    await expect.element(toastWith(t('login.failed'))).toBeVisible();
    await expect.element(page.getByText(t('cause.sessionLost'))).toBeVisible();
    restore();
    const cookies = vi.spyOn(document, 'cookie', 'get').mockReturnValue('');
    onTestFinished(() => cookies.mockRestore());
    server.intercept('getCurrentUser', () => errorResponse('unauthenticated'));
    await sendForm(t, login);
    await expect.element(page.getByText(t('cause.cookiesBlocked'))).toBeVisible();

    const publicUrl = 'https://chat.example.org';
    const refusal = { code: 'foreign_origin', errorMessage: 'No.', publicUrl };
    server.intercept('login', () => Response.json(refusal, { status: 403 }));
    await sendForm(t, login);
    const alert = page.getByRole('alert').filter({ hasText: publicUrl });
    await expect.element(alert).toHaveTextContent(t('cause.otherAddress', { url: publicUrl }));
    const link = page.getByRole('link', { name: publicUrl, exact: true });
    await expect.element(link).toHaveAttribute('href', publicUrl);
  });

  test(`registering says that no mail can be sent to an address (${language})`, async () => {
    const { server } = await openApp({ path: '/register', language });
    const refused = { code: 'email_not_supported', errorMessage: 'No.' };
    server.intercept('register', () => Response.json(refused, { status: 400 }));
    const email = ['field.email', 'jürgen@example.org'] as const;
    await sendForm(t, { ...REGISTER, fields: [email, USERNAME, PASSWORD] });
    await expect.element(toastWith(t('register.refused'))).toBeVisible();
    const field = page.getByLabelText(t('field.email'), { exact: true });
    await expect.element(field).toHaveAccessibleDescription(t('register.emailNotSupported'));
  });

  test(`the login distinguishes an unreachable server from a rejection (${language})`, async () => {
    const { server } = await openApp({ language });
    const password = page.getByLabelText(t('field.password'), { exact: true });
    // The app needs the server until then.
    await expect.element(password).toBeVisible();
    server.setReachable(false);
    await sendForm(t, LOGIN);
    await expect.element(toastWith(t('login.failed'))).toBeVisible();
    await expect.element(page.getByText(t('error.offline'))).toBeVisible();
    await expect.element(password).toHaveValue('some password');
  });
}

test('the new-password form shows an error after a delay', async () => {
  const t = createTranslator('en');
  await openApp({ path: NEW_PASSWORD.path });
  // Time stands still, so that the form waits for the whole delay.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const delayed = Promise.withResolvers<() => void>();
  const start = window.setTimeout.bind(window);
  const hold = (callback: () => void, delay?: number, ...args: []): number => {
    if (delay !== UI.newPasswordErrorDelay) return start(callback, delay, ...args);
    delayed.resolve(callback);
    return 0;
  };
  const timers = vi.spyOn(window, 'setTimeout').mockImplementation(hold as typeof setTimeout);
  onTestFinished(() => timers.mockRestore());
  await sendForm(t, NEW_PASSWORD);
  const showError = await delayed.promise;
  clock.mockRestore();
  const error = page.getByText(t('newPassword.noUser')).first();
  expect(error.query()).toBeNull();
  showError();
  await expect.element(error).toBeVisible();
});
