import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join } from '../../test/joining.ts';
import { keyIn, mailTo, outbox } from '../../test/mails.ts';
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

describe('registering', () => {
  test('makes an unverified account, in English and at middle volume, and mails a key', async () => {
    const answer = await register({ ...anna, email: '  ANNA@Example.org ', username: ' Anna ' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ username: 'Anna', isVerified: false });
    expect(await userRow('anna@example.org')).toMatchObject({
      username: 'Anna',
      language: 'en',
      volume: 'middle',
      verified_at: null,
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/),
    });
    expect(keyIn(await mailTo(server, 'anna@example.org'))).toMatch(/^\d{6}$/);
  });

  test('takes the language that is asked for', async () => {
    await register({ ...anna, language: 'de' });
    expect((await mailTo(server, anna.email)).subject).toBe(
      'Bestätige deine E-Mail-Adresse für Parley',
    );
  });

  test.each([
    ['the same name', { ...details('Berta'), username: 'Anna' }],
    ['the same name in another case', { ...details('Berta'), username: 'ANNA' }],
    ['the same name in another width', { ...details('Berta'), username: 'Ａｎｎａ' }],
    ['the same address', { ...details('Berta'), email: ' Anna@EXAMPLE.org' }],
  ])('refuses %s', async (_, body) => {
    await register(anna);
    const answer = await register(body);
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('account_taken');
  });

  test('of one name or address at the same moment succeeds once', async () => {
    const answers = await Promise.all([
      register(anna),
      register({ ...details('Berta'), username: 'anna' }),
      register({ ...details('Carl'), username: 'ANNA' }),
    ]);
    expect(statuses(answers)).toEqual([201, 409, 409]);
    const twice = await Promise.all(
      ['Dora', 'Emil'].map((name) => register({ ...details(name), email: 'one@example.org' })),
    );
    expect(statuses(twice)).toEqual([201, 409]);
  });

  test.each([
    ['nothing', undefined],
    ['no JSON', '{"email":'],
    ['a list', []],
    ['a number as name', { ...anna, username: 12345 }],
    ['a short name', { ...anna, username: 'a' }],
    ['a long name', { ...anna, username: 'a'.repeat(21) }],
    ['markup', { ...anna, username: '<b>Anna</b>' }],
    ['a direction mark in the name', { ...anna, username: 'An\u202ena' }],
    ['the reserved name', { ...anna, username: 'DeletedUser' }],
    ['no address', { ...anna, email: 'anna' }],
    ['a header in the address', { ...anna, email: 'anna@example.org\r\nBcc: b@example.org' }],
    ['two addresses', { ...anna, email: 'anna@example.org,b@example.org' }],
    ['a short password', { ...anna, password: '12345' }],
    ['a password of blanks', { ...anna, password: '          ' }],
    ['an endless password', { ...anna, password: 'x'.repeat(257) }],
    ['a language that does not exist', { ...anna, language: 'fr' }],
    ['a query in place of a string', { ...anna, email: { $gt: '' } }],
  ])('refuses %s', async (_, body) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_request');
  });

  test('refuses a body of another type or too large', async () => {
    const client = server.client();
    const xml = { 'content-type': 'application/xml' };
    expect((await client.request('POST', '/api/users/register', '<x/>', xml)).status).toBe(415);
    const large = { ...anna, more: 'x'.repeat(300_000) };
    expect((await register(large)).body.code).toBe('too_large');
  });

  test('is refused where registration is closed', async () => {
    const closed = await startServer({ PARLEY_REGISTRATION: 'closed' });
    const answer = await closed.client().request('POST', '/api/users/register', anna);
    expect(answer.status).toBe(403);
    expect(answer.body.code).toBe('registration_closed');
    await closed.close();
  });

  test('is refused from a foreign origin', async () => {
    const origin = { origin: 'https://evil.example' };
    const answer = await server.client().request('POST', '/api/users/register', anna, origin);
    expect(answer.body.code).toBe('foreign_origin');
  });

  test('takes name and address of an account that was not verified for 48 hours', async () => {
    await register(anna);
    const age = (hours: number) =>
      server.ctx.storage.write(({ trx }) =>
        trx
          .updateTable('users')
          .set({ created_at: Date.now() - hours * HOUR })
          .execute(),
      );
    await age(47);
    expect((await register(anna)).status).toBe(409);
    await age(49);
    expect((await register({ ...anna, password: 'another one' })).status).toBe(201);
    expect((await login(anna)).status).toBe(404);

    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('users').set({ created_at: 0, verified_at: 1 }).execute(),
    );
    expect((await register(anna)).status).toBe(409);
  });
});

describe('verifying', () => {
  test('takes the mailed key once, then says that the address is verified', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const key = keyIn(await mailTo(server, email));
    const answer = await verify({ email: ' ANNA@example.org', key });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ isVerified: true });
    expect((await login(anna)).body).toEqual({ isVerified: true });

    const again = await verify({ email, key });
    expect(again.status).toBe(400);
    expect(again.body.code).toBe('already_verified');
  });

  test('refuses a wrong key, an expired one, and any key of an unknown address alike', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const key = keyIn(await mailTo(server, email));
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

  test('counts parallel guesses: five are compared, the right one after them is refused', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const key = keyIn(await mailTo(server, email));
    const guesses = Array.from({ length: 20 }, (_, i) => `${(Number(key) + 1 + i) % 1_000_000}`);
    const answers = await Promise.all(
      guesses.map((guess) => verify({ email, key: guess.padStart(6, '0') })),
    );
    expect(answers.every(({ status }) => status === 409)).toBe(true);
    const row = await server.ctx.storage.read((db) =>
      db.selectFrom('account_keys').selectAll().executeTakeFirst(),
    );
    expect(row?.tries_left).toBe(0);
    expect((await verify({ email, key })).body.code).toBe('key_mismatch');
  });

  test.each([
    ['five digits', { email: anna.email, key: '12345' }],
    ['a number', { email: anna.email, key: 123456 }],
    ['no address', { key: '123456' }],
  ])('refuses %s', async (_, body) => {
    expect((await verify(body)).body.code).toBe('invalid_request');
  });
});

describe('asking for a new key', () => {
  test('replaces the key and gives five new tries', async () => {
    const { email } = await join(server, 'Anna', 'registered');
    const first = keyIn(await mailTo(server, email));
    for (let i = 0; i < 5; i++) await verify({ email, key: 'wrong!' });
    const answer = await resend({ email });
    expect(answer.status).toBe(202);
    const second = keyIn(await mailTo(server, email, 2));
    if (first !== second) expect((await verify({ email, key: first })).status).toBe(409);
    expect((await verify({ email, key: second })).status).toBe(200);
  });

  test('answers the same for unknown and verified addresses, and mails them nothing', async () => {
    const { email } = await join(server, 'Anna', 'verified');
    for (const address of [email, 'nobody@example.org']) {
      const answer = await resend({ email: address });
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({ ok: true });
    }
    await join(server, 'Berta', 'verified');
    expect(await outbox(server)).toHaveLength(2);
    expect((await resend({ email: 'nonsense' })).status).toBe(400);
  });
});
