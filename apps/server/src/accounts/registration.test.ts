import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join } from '../../test/joining.ts';
import { getKey, readOutbox, waitForMail } from '../../test/mails.ts';
import { statuses } from '../../test/statuses.ts';

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
const userRow = (email: string) =>
  server.ctx.storage.read((db) =>
    db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst(),
  );

describe('registration', () => {
  test('creates an unverified account with default settings and emails a key', async () => {
    const response = await register({ ...anna, email: '  ANNA@Example.org ', username: ' Anna ' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ username: 'Anna', isVerified: false });
    expect(await userRow('anna@example.org')).toMatchObject({
      username: 'Anna',
      language: 'en',
      volume: 'middle',
      verified_at: null,
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/),
    });
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
    ['an email address that is taken', { ...details('Berta'), email: ' Anna@EXAMPLE.org' }],
  ])('rejects %s', async (_, body) => {
    await register(anna);
    const response = await register(body);
    expect(response.status).toBe(409);
    expect(response.body.code).toBe('account_taken');
  });

  test('accepts only one of several concurrent registrations of a username or email address', async () => {
    const responses = await Promise.all([
      register(anna),
      register({ ...details('Berta'), username: 'anna' }),
      register({ ...details('Carl'), username: 'ANNA' }),
    ]);
    expect(statuses(responses)).toEqual([201, 409, 409]);
    const sameEmail = await Promise.all(
      ['Dora', 'Emil'].map((name) => register({ ...details(name), email: 'one@example.org' })),
    );
    expect(statuses(sameEmail)).toEqual([201, 409]);
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

  test('takes over the username and email address of an account that was not verified within 48 hours', async () => {
    await register(anna);
    const setAge = (hours: number) =>
      server.ctx.storage.write(({ trx }) =>
        trx
          .updateTable('users')
          .set({ created_at: Date.now() - hours * HOUR })
          .execute(),
      );
    await setAge(47);
    expect((await register(anna)).status).toBe(409);
    await setAge(49);
    expect((await register({ ...anna, password: 'another one' })).status).toBe(201);
    expect((await login(anna)).status).toBe(404);

    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('users').set({ created_at: 0, verified_at: 1 }).execute(),
    );
    expect((await register(anna)).status).toBe(409);
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
      trx.updateTable('account_keys').set({ expires_at: Date.now() }).execute(),
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
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('account_keys').selectAll().executeTakeFirst(),
    );
    expect(row?.tries_left).toBe(0);
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

  test('sends the same response for unknown and verified email addresses, and no mail', async () => {
    const { email } = await join(server, 'Anna', 'verified');
    for (const address of [email, 'nobody@example.org']) {
      const response = await resend({ email: address });
      expect(response.status).toBe(202);
      expect(response.body).toEqual({ ok: true });
    }
    // A mail to Anna would have been queued before Berta's.
    await join(server, 'Berta', 'verified');
    expect(await readOutbox(server)).toHaveLength(2);
    expect((await resend({ email: 'nonsense' })).status).toBe(400);
  });
});
