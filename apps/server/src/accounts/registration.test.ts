import { costs } from '@parley/testing/costs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join } from '../../test/joining.ts';
import { getKey, readMails, waitForMail } from '../../test/mails.ts';
import { statuses } from '../../test/statuses.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const HOUR = 60 * 60 * 1000;
const anna = details('Anna');
const register = (body: unknown) => server.client().request('POST', '/api/users/register', body);
const verify = (body: unknown) =>
  server.client().request('POST', '/api/users/register/verify', body);
const resend = (body: unknown) =>
  server.client().request('POST', '/api/users/register/resend', body);
const login = (body: unknown) => server.client().request('POST', '/api/users/login', body);
const registrations = () =>
  server.ctx.storage.read((db) =>
    db.selectFrom('registrations').selectAll().orderBy('created_at').execute(),
  );
const setAge = (hours: number) =>
  server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('registrations')
      .set({ created_at: Date.now() - hours * HOUR })
      .execute(),
  );
/** Registers an address with a username, and returns the browser's cookie. */
const registerAs = async (username: string, email: string, password: string) => {
  const response = await register({ username, email, password });
  expect(response.status).toBe(201);
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
};
/** Returns the key in the newest mail to an address that names a username. */
const keyOf = async (email: string, username: string) => {
  const isNamed = ({ to, text }: Awaited<ReturnType<typeof readMails>>[number]) =>
    to?.[0]?.address === email && (text ?? '').includes(username);
  const mail = await until(async () => (await readMails(server)).findLast(isNamed));
  return getKey(mail);
};

describe('registration', () => {
  test('stores an unverified registration and emails a key', async () => {
    const response = await register({ ...anna, email: '  ANNA@Example.org ', username: ' Anna ' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ username: 'Anna', isVerified: false });
    expect(await registrations()).toMatchObject([
      {
        email: 'anna@example.org',
        username: 'Anna',
        language: 'en',
        password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/),
      },
    ]);
    expect(getKey(await waitForMail(server, 'anna@example.org'))).toMatch(/^\d{6}$/);
  });

  test('sends the mail in the requested language', async () => {
    await register({ ...anna, language: 'de' });
    expect((await waitForMail(server, anna.email)).subject).toBe(
      'Bestätige deine E-Mail-Adresse für Parley',
    );
  });

  test.each([
    ['a username that is taken', { ...details('Berta'), username: 'Anna' }],
    ['a username that is taken in another case', { ...details('Berta'), username: 'ANNA' }],
    ['a username that is taken in another width', { ...details('Berta'), username: 'Ａｎｎａ' }],
  ])('rejects %s', async (_, body) => {
    await register(anna);
    const response = await register(body);
    expect(response.status).toBe(409);
    expect(response.body.code).toBe('account_taken');
  });

  test.each([
    ['username', { ...details('Berta'), username: 'Anna' }],
    ['email address', { ...details('Berta'), email: ' Anna@EXAMPLE.org' }],
  ])('rejects the %s of an account', async (_, body) => {
    await join(server, 'Anna', 'verified');
    expect(await register(body)).toMatchObject({ status: 409, body: { code: 'account_taken' } });
  });

  test('accepts only one of several concurrent registrations of a username', async () => {
    const responses = await Promise.all([
      register(anna),
      register({ ...details('Berta'), username: 'anna' }),
      register({ ...details('Carl'), username: 'ANNA' }),
    ]);
    expect(statuses(responses)).toEqual([201, 409, 409]);
  });

  test.each([
    ['an empty body', undefined],
    ['malformed JSON', '{"email":'],
    ['a list', []],
    ['a number as a username', { ...anna, username: 12345 }],
    ['a username that is too short', { ...anna, username: 'a' }],
    ['a username that is too long', { ...anna, username: 'a'.repeat(21) }],
    ['a username with markup', { ...anna, username: '<b>Anna</b>' }],
    ['a username with a bidirectional control character', { ...anna, username: 'An\u202ena' }],
    ['the reserved username', { ...anna, username: 'DeletedUser' }],
    ['an invalid email address', { ...anna, email: 'anna' }],
    [
      'an email address with a header',
      { ...anna, email: 'anna@example.org\r\nBcc: b@example.org' },
    ],
    ['two email addresses', { ...anna, email: 'anna@example.org,b@example.org' }],
    ['a password that is too short', { ...anna, password: '12345' }],
    ['a password of spaces', { ...anna, password: '          ' }],
    ['a password that is too long', { ...anna, password: 'x'.repeat(257) }],
    ['an unsupported language', { ...anna, language: 'fr' }],
    ['an object as an email address', { ...anna, email: { $gt: '' } }],
  ])('rejects %s', async (_, body) => {
    const response = await register(body);
    expect(response.status).toBe(400);
    expect(response.body.code).toBe('invalid_request');
  });

  test('rejects a body that has a content type other than JSON or is too large', async () => {
    const client = server.client();
    const xml = { 'content-type': 'application/xml' };
    expect((await client.request('POST', '/api/users/register', '<x/>', xml)).status).toBe(415);
    const large = { ...anna, more: 'x'.repeat(300_000) };
    expect((await register(large)).body.code).toBe('too_large');
  });

  test('rejects every registration if registration is closed', async () => {
    const closed = await startServer({ PARLEY_REGISTRATION: 'closed' });
    const response = await closed.client().request('POST', '/api/users/register', anna);
    expect(response.status).toBe(403);
    expect(response.body.code).toBe('registration_closed');
    await closed.close();
  });

  test('rejects a registration from a foreign origin', async () => {
    const origin = { origin: 'https://evil.example' };
    const response = await server.client().request('POST', '/api/users/register', anna, origin);
    expect(response.body.code).toBe('foreign_origin');
  });

  test('reserves a username for 48 hours against other email addresses', async () => {
    await register(anna);
    const other = { ...details('Berta'), username: 'Anna' };
    await setAge(47);
    expect((await register(other)).status).toBe(409);
    await setAge(49);
    expect((await register(other)).status).toBe(201);
    expect((await login(anna)).status).toBe(404);
    expect(await registrations()).toMatchObject([{ email: other.email }]);
  });

  test('deletes registrations that were not verified within 30 days', async () => {
    await register(anna);
    await setAge(30 * 24 - 1);
    await register(details('Berta'));
    expect(await registrations()).toHaveLength(2);
    await setAge(30 * 24 + 1);
    await register(details('Carl'));
    expect(await registrations()).toMatchObject([{ username: 'Carl' }]);
  });
});

describe("registering someone else's email address", () => {
  const { email } = anna;

  test('does not prevent its owner from registering it, with the same username', async () => {
    await registerAs('Anna', email, 'of the attacker');
    await registerAs('Mallory', email, 'of the attacker');
    const own = await registerAs('Anna', email, anna.password);
    const mails = await until(async () => {
      const all = await readMails(server);
      return all.length === 3 && all;
    });
    const verifyHere = (key: string) =>
      server
        .client()
        .request('POST', '/api/users/register/verify', { email, key }, { cookie: own });

    // The browser knows its registration, so the keys of the others are not accepted there.
    expect((await verifyHere(await keyOf(email, 'Mallory'))).status).toBe(409);
    const annas = mails.filter(({ text }) => text?.includes('Anna')).map(getKey);
    const responses = [];
    for (const key of annas) responses.push((await verifyHere(key)).status);
    expect(responses.filter((status) => status === 200)).toHaveLength(1);
    expect((await login({ email, password: 'of the attacker' })).status).toBe(404);
    expect((await login(anna)).body).toEqual({ isVerified: true });
  });

  test('gives the account the password of the registration whose key is entered, and frees the others', async () => {
    await registerAs('Mallory', email, 'of the attacker');
    await registerAs('Anna', email, anna.password);
    expect((await verify({ email, key: await keyOf(email, 'Anna') })).status).toBe(200);
    expect(await registrations()).toEqual([]);
    expect((await login({ email, password: 'of the attacker' })).status).toBe(404);
    expect((await login(anna)).body).toEqual({ isVerified: true });
    const late = await verify({ email, key: await keyOf(email, 'Mallory') });
    expect(late.body.code).toBe('already_verified');
    expect((await register({ ...details('Berta'), username: 'Mallory' })).status).toBe(201);
  });

  test('keeps the newest three registrations of an address', async () => {
    await registerAs('Anna', email, 'Anna-secret');
    const key = await keyOf(email, 'Anna');
    for (const name of ['Berta', 'Carl', 'Dora']) await registerAs(name, email, `${name}-secret`);
    const kept = (await registrations()).map(({ username }) => username);
    expect(kept.toSorted((a, b) => a.localeCompare(b))).toEqual(['Berta', 'Carl', 'Dora']);
    expect((await verify({ email, key })).status).toBe(409);
    expect((await register({ ...details('Emil'), username: 'Anna' })).status).toBe(201);
  });

  test('reports each registration at login only with its own password, for the cost of one', async () => {
    const before = costs.hashes;
    for (const name of ['Anna', 'Berta', 'Carl']) await registerAs(name, email, `${name}-secret`);
    for (const name of ['Anna', 'Berta', 'Carl']) {
      const response = await login({ email, password: `${name}-secret` });
      expect(response).toMatchObject({ status: 200, body: { isVerified: false } });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await login({ email, password: 'Dora-secret' })).status).toBe(404);
    expect(costs.hashes - before).toBe(7);
  });

  test('does not make guessing easier than the number of registrations', async () => {
    for (const name of ['Anna', 'Berta', 'Carl']) await registerAs(name, email, `${name}-secret`);
    const keys = new Set<string>();
    for (const name of ['Anna', 'Berta', 'Carl']) keys.add(await keyOf(email, name));
    const guesses = Array.from({ length: 30 }, (_, i) => `${100_000 + i}`);
    const wrong = guesses.filter((guess) => !keys.has(guess)).slice(0, 5);
    for (const key of wrong) await verify({ email, key });
    // Each guess was tried with all three keys and counted for all of them.
    expect((await registrations()).map(({ tries_left: left }) => left)).toEqual([0, 0, 0]);
    for (const key of keys) expect((await verify({ email, key })).status).toBe(409);
  });

  test('does not use up the attempts of a browser that knows its registration', async () => {
    await registerAs('Mallory', email, 'of the attacker');
    const cookie = await registerAs('Anna', email, anna.password);
    const wrong = { email, key: 'wrong!' };
    for (let i = 0; i < 5; i += 1) {
      await server.client().request('POST', '/api/users/register/verify', wrong, { cookie });
    }
    const left = (await registrations()).map((each) => [each.username, each.tries_left]);
    expect(Object.fromEntries(left)).toEqual({ Mallory: 5, Anna: 0 });
  });

  test('cannot be combined with a password reset', async () => {
    await registerAs('Mallory', email, 'of the attacker');
    const reset = await server.client().request('PATCH', '/api/users/forgot-pw', { email });
    expect(reset).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });
});

describe('verification', () => {
  test('accepts the emailed key once, then reports that the account is already verified', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const key = getKey(await waitForMail(server, email));
    const response = await verify({ email: ' ANNA@example.org', key });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ isVerified: true });
    expect((await login(anna)).body).toEqual({ isVerified: true });

    const again = await verify({ email, key });
    expect(again.status).toBe(400);
    expect(again.body.code).toBe('already_verified');
  });

  test('sends the same error for a wrong key, an expired key and an unknown email address', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const key = getKey(await waitForMail(server, email));
    const wrong = await verify({ email, key: key === '000000' ? '111111' : '000000' });
    const unknown = await verify({ email: 'nobody@example.org', key });
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('registrations').set({ key_expires_at: Date.now() }).execute(),
    );
    const expired = await verify({ email, key });
    for (const { status, body } of [wrong, unknown, expired]) {
      expect(status).toBe(409);
      expect(body).toEqual(wrong.body);
    }
    expect(wrong.body.code).toBe('key_mismatch');
  });

  test('counts parallel attempts and rejects the correct key after five wrong ones', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const key = getKey(await waitForMail(server, email));
    const guesses = Array.from({ length: 20 }, (_, i) => `${(Number(key) + 1 + i) % 1_000_000}`);
    const responses = await Promise.all(
      guesses.map((guess) => verify({ email, key: guess.padStart(6, '0') })),
    );
    expect(responses.every(({ status }) => status === 409)).toBe(true);
    expect(await registrations()).toMatchObject([{ tries_left: 0 }]);
    expect((await verify({ email, key })).body.code).toBe('key_mismatch');
  });

  test.each([
    ['a key of five digits', { email: anna.email, key: '12345' }],
    ['a number as a key', { email: anna.email, key: 123456 }],
    ['a missing email address', { key: '123456' }],
  ])('rejects %s', async (_, body) => {
    expect((await verify(body)).body.code).toBe('invalid_request');
  });
});

describe('requesting a new key', () => {
  test('replaces the key and allows five new attempts', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const first = getKey(await waitForMail(server, email));
    for (let i = 0; i < 5; i++) await verify({ email, key: 'wrong!' });
    const response = await resend({ email });
    expect(response.status).toBe(202);
    const second = getKey(await waitForMail(server, email, 2));
    if (first !== second) expect((await verify({ email, key: first })).status).toBe(409);
    expect((await verify({ email, key: second })).status).toBe(200);
  });

  test('sends keys for all registrations of an address, or for that of the browser', async () => {
    const { email } = anna;
    await registerAs('Mallory', email, 'of the attacker');
    const cookie = await registerAs('Anna', email, anna.password);
    await waitForMail(server, email, 2);
    await server.client().request('POST', '/api/users/register/resend', { email }, { cookie });
    await waitForMail(server, email, 3);
    await resend({ email });
    await waitForMail(server, email, 5);
    const named = (await readMails(server)).map(({ text }) => text?.includes('Mallory'));
    expect(named.filter(Boolean)).toHaveLength(2);
    expect((await verify({ email, key: await keyOf(email, 'Mallory') })).status).toBe(200);
  });

  test('sends the same response for unknown and verified email addresses, and no mail', async () => {
    const { email } = await join(server, 'Anna', 'verified');
    for (const address of [email, 'nobody@example.org']) {
      const response = await resend({ email: address });
      expect(response.status).toBe(202);
      expect(response.body).toEqual({ ok: true });
    }
    // A mail to Anna would have been queued before Berta's.
    await join(server, 'Berta', 'verified');
    expect(await readMails(server)).toHaveLength(2);
    expect((await resend({ email: 'nonsense' })).status).toBe(400);
  });
});
