import { LIMITS, type EndpointName } from '@parley/contract';
import { createMemoryServer, type MemoryServer } from '@parley/memory-server';
import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');
const EMAIL = 'alice@example.org';
const PASSWORD = 'correct horse';
const field = (key: string) => page.getByLabelText(t(key), { exact: true });
const press = (key: string) => page.getByRole('button', { name: t(key), exact: true }).click();
const expectText = (key: string) => expect.element(page.getByText(t(key)).first()).toBeVisible();

/** The first digit and capital letter of each form, of which the last ones are two code units each. */
const FORMS = {
  ascii: ['0', 'A'],
  'full-width': ['０', 'Ａ'],
  mathematical: ['𝟎', '𝐀'],
} as const;

/** Returns a key in another form, with spaces around and in it. */
function typed(key: string, form: keyof typeof FORMS): string {
  const [digit, letter] = FORMS[form].map((first) => first.codePointAt(0) ?? 0);
  const characters = Array.from(key, (character) =>
    /\d/.test(character)
      ? String.fromCodePoint((digit ?? 0) + Number(character))
      : String.fromCodePoint((letter ?? 0) + character.charCodeAt(0) - 65),
  );
  return `  ${characters.slice(0, 3).join('')}\u00a0${characters.slice(3).join('')}\u2009 `;
}

/** Returns the keys that the page sends to an endpoint from now on. */
function recordKeys(server: MemoryServer, endpoint: EndpointName): unknown[] {
  const keys: unknown[] = [];
  server.intercept(endpoint, async (request, next) => {
    const body: { key?: unknown } = await request.clone().json();
    keys.push(body.key);
    return next();
  });
  return keys;
}

test.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
  'the keys of an account can be entered with spaces and in %s characters',
  async (form) => {
    const server = createMemoryServer(location.origin);
    const { reload } = await openApp({ server, path: '/register/verify' });
    const registration = { email: EMAIL, username: 'Alice', password: PASSWORD };
    const guest = actAs(server);
    await guest.call('register', { body: registration });
    const verifyKeys = recordKeys(server, 'verify');
    await field('field.email').fill(EMAIL);
    await field('verify.key').fill(typed(server.keyFor(EMAIL), form));
    await press('verify.submit');
    await expectText('verify.success');
    expect(verifyKeys).toEqual([server.keyFor(EMAIL)]);

    await guest.call('requestReset', { body: { email: EMAIL } });
    const resetKeys = recordKeys(server, 'resetPassword');
    await reload('/new-pw');
    await field('field.email').fill(EMAIL);
    await field('newPassword.key').fill(typed(server.keyFor(EMAIL), form));
    await field('newPassword.password').fill(PASSWORD);
    await press('newPassword.submit');
    await expectText('newPassword.success');
    expect(resetKeys).toEqual([server.keyFor(EMAIL)]);
  },
);

test.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
  'the keys of another address can be entered with spaces and in %s characters',
  async (form) => {
    const server = createServerWith(['Alice']);
    const email = 'alice@new.example';
    const { reload } = await openApp({ server, user: 'Alice', path: '/settings' });
    await actAs(server, 'Alice').call('requestEmailChange', {
      body: { email, password: PASSWORD },
    });
    const changeKeys = recordKeys(server, 'confirmEmailChange');
    await field('settings.emailKey').fill(typed(server.keyFor(email), form));
    await press('settings.emailConfirm');
    await expectText('settings.updated');
    expect(changeKeys).toEqual([server.keyFor(email)]);

    const restoreKeys = recordKeys(server, 'restoreEmail');
    const restoreKey = server.keyFor(EMAIL);
    await reload('/email-restore');
    await field('restoreEmail.key').fill(typed(restoreKey, form));
    await press('restoreEmail.submit');
    await expectText('restoreEmail.success');
    expect(restoreKeys).toEqual([restoreKey]);
  },
);

test('a key fits into its field on a phone, whatever its letters', async () => {
  const server = createServerWith(['Alice']);
  const viewport = { width: 320, height: 740 };
  const { reload } = await openApp({ server, path: '/register/verify', viewport });
  for (const [path, key, length] of [
    ['/register/verify', 'verify.key', LIMITS.verifyKeyLength],
    ['/new-pw', 'newPassword.key', LIMITS.resetKeyLength],
    ['/email-restore', 'restoreEmail.key', LIMITS.restoreKeyLength],
  ] as const) {
    await reload(path);
    await field(key).fill('W'.repeat(length));
    const { scrollWidth, clientWidth } = field(key).element();
    expect(scrollWidth, path).toBeLessThanOrEqual(clientWidth);
  }
});
