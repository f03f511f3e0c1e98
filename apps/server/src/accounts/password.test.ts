import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordEvents } from '../../test/chatting.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join, login } from '../../test/joining.ts';
import { getKey, waitForMail } from '../../test/mails.ts';
import { statuses } from '../../test/statuses.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const anna = details('Anna');
const forgot = (email: unknown) =>
  server.client().request('PATCH', '/api/users/forgot-pw', { email });
const newPassword = (body: unknown) => server.client().request('PATCH', '/api/users/new-pw', body);
const tryLogin = (password: string) =>
  server.client().request('POST', '/api/users/login', { ...anna, password });
const sessionIds = async () =>
  (await server.ctx.storage.read((db) => db.selectFrom('sessions').select('id').execute())).map(
    ({ id }) => id,
  );

describe('a forgotten password', () => {
  test('is reset by the emailed key, which ends all sessions', async () => {
    const member = await join(server, 'Anna');
    const before = await sessionIds();
    const response = await forgot(' ANNA@Example.org');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true });
    const key = getKey(await waitForMail(server, anna.email, 2));
    expect(key).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);

    const events = recordEvents(server);
    const body = { email: anna.email, key, newPw: 'brand new' };
    const done = await newPassword(body);
    expect(done.status).toBe(200);
    expect(done.body).toEqual({ ok: true });
    expect(events).toContainEqual({
      type: 'sessions-ended',
      sessionIds: before,
      reason: 'password-changed',
    });
    expect((await member.request('GET', '/api/users/current')).status).toBe(401);
    expect((await tryLogin(anna.password)).status).toBe(404);
    expect((await tryLogin('brand new')).body).toEqual({ isVerified: true });
    expect((await waitForMail(server, anna.email, 3)).subject).toBe(
      'Your Parley password was changed',
    );

    const again = await newPassword(body);
    expect(again.status).toBe(401);
    expect(again.body.code).toBe('reset_key_wrong');
  });

  test('accepts the key in lower case and in full width', async () => {
    await join(server, 'Anna', 'verified');
    await forgot(anna.email);
    const mailed = getKey(await waitForMail(server, anna.email, 2)).toLowerCase();
    const key = mailed.replaceAll(/./g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    expect((await newPassword({ email: anna.email, key, newPw: 'brand new' })).status).toBe(200);
  });

  test('sends 404 for an unknown email address', async () => {
    const requested = await forgot('nobody@example.org');
    expect(requested.status).toBe(404);
    expect(requested.body.code).toBe('user_not_found');
    const set = await newPassword({ email: 'no@example.org', key: 'ABCDEFGH', newPw: 'brand new' });
    expect(set.status).toBe(404);
    expect(set.body.code).toBe('user_not_found');
  });

  test('is not changed by a wrong, expired, replaced or missing key', async () => {
    await join(server, 'Anna', 'verified');
    const attempt = (key: string) => newPassword({ email: anna.email, key, newPw: 'brand new' });
    expect((await attempt('ABCDEFGH')).status).toBe(401);
    await forgot(anna.email);
    const first = getKey(await waitForMail(server, anna.email, 2));
    expect((await attempt('ABCDEFGH')).body.code).toBe('reset_key_wrong');
    await forgot(anna.email);
    const second = getKey(await waitForMail(server, anna.email, 3));
    expect((await attempt(first)).status).toBe(401);
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('account_keys').set({ expires_at: Date.now() }).execute(),
    );
    expect((await attempt(second)).status).toBe(401);
    expect((await tryLogin(anna.password)).status).toBe(200);
  });

  test('allows at most five attempts, even in parallel', async () => {
    await join(server, 'Anna', 'verified');
    await forgot(anna.email);
    const key = getKey(await waitForMail(server, anna.email, 2));
    const guesses = Array.from({ length: 12 }, (_, i) => `GUESS${100 + i}`);
    const attempt = (guess: string) =>
      newPassword({ email: anna.email, key: guess, newPw: 'brand new' });
    for (const { status } of await Promise.all(guesses.map(attempt))) expect(status).toBe(401);
    expect((await attempt(key)).status).toBe(401);
  });

  test('is reset only once if two requests use the key concurrently', async () => {
    await join(server, 'Anna', 'verified');
    await forgot(anna.email);
    const key = getKey(await waitForMail(server, anna.email, 2));
    const responses = await Promise.all(
      ['password one', 'password two'].map((newPw) =>
        newPassword({ email: anna.email, key, newPw }),
      ),
    );
    expect(statuses(responses)).toEqual([200, 401]);
  });

  test.each([
    [{ email: anna.email, key: 'SHORT', newPw: 'brand new' }],
    [{ email: anna.email, key: 'ABCDEFGH', newPw: 'short' }],
    [{ email: anna.email, key: 'ABCDEFGH', newPw: ' \t        ' }],
    [{ email: 'anna', key: 'ABCDEFGH', newPw: 'brand new' }],
    [{ email: anna.email, key: null, newPw: 'brand new' }],
    ['{"email"'],
  ])('cannot be reset with %j', async (body) => {
    expect((await newPassword(body)).body.code).toBe('invalid_request');
  });

  test.each([['anna'], [''], [{}], [null]])('cannot be requested with %j', async (email) => {
    expect((await forgot(email)).body.code).toBe('invalid_request');
  });
});

describe('changing the password', () => {
  test('ends all other sessions and keeps the current one', async () => {
    const member = await join(server, 'Anna');
    const [own] = await sessionIds();
    const other = server.client();
    await login(other, member);
    const events = recordEvents(server);
    const body = { oldPassword: anna.password, newPassword: 'brand new' };
    const response = await member.request('PATCH', '/api/users/update', body);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true });
    expect((await member.request('GET', '/api/users/current')).status).toBe(200);
    expect((await other.request('GET', '/api/users/current')).status).toBe(401);
    expect(await sessionIds()).toEqual([own]);
    expect(events).toContainEqual({
      type: 'sessions-ended',
      sessionIds: [expect.not.stringMatching(own ?? '')],
      reason: 'password-changed',
    });
    expect((await tryLogin('brand new')).status).toBe(200);
    expect((await tryLogin(anna.password)).status).toBe(404);
  });

  test('invalidates an earlier reset key', async () => {
    const member = await join(server, 'Anna');
    await forgot(anna.email);
    const key = getKey(await waitForMail(server, anna.email, 2));
    const body = { oldPassword: anna.password, newPassword: 'brand new' };
    await member.request('PATCH', '/api/users/update', body);
    const reset = await newPassword({ email: anna.email, key, newPw: 'yet another' });
    expect(reset.status).toBe(401);
  });

  test('requires the current password, so the second of two concurrent changes fails', async () => {
    const member = await join(server, 'Anna');
    const change = (oldPassword: string, newPassword: string) =>
      member.request('PATCH', '/api/users/update', { oldPassword, newPassword });
    const wrong = await change('something else', 'brand new');
    expect(wrong.status).toBe(400);
    expect(wrong.body.code).toBe('wrong_password');
    expect((await change(anna.password, 'short')).body.code).toBe('invalid_request');
    const both = await Promise.all(['one more', 'two more'].map((p) => change(anna.password, p)));
    expect(statuses(both)).toEqual([200, 400]);
  });

  test('requires a session', async () => {
    const body = { oldPassword: anna.password, newPassword: 'brand new' };
    const response = await server.client().request('PATCH', '/api/users/update', body);
    expect(response.status).toBe(401);
  });
});
