import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordEvents } from '../../test/chatting.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join, login } from '../../test/joining.ts';
import { keyIn, mailTo } from '../../test/mails.ts';
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
  test('is set anew by the mailed key, which ends every session', async () => {
    const member = await join(server, 'Anna');
    const before = await sessionIds();
    const answer = await forgot(' ANNA@Example.org');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true });
    const key = keyIn(await mailTo(server, anna.email, 2));
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
    expect((await mailTo(server, anna.email, 3)).subject).toBe('Your Parley password was changed');

    const again = await newPassword(body);
    expect(again.status).toBe(401);
    expect(again.body.code).toBe('reset_key_wrong');
  });

  test('takes the key in small letters, too', async () => {
    await join(server, 'Anna', 'verified');
    await forgot(anna.email);
    const key = keyIn(await mailTo(server, anna.email, 2)).toLowerCase();
    expect((await newPassword({ email: anna.email, key, newPw: 'brand new' })).status).toBe(200);
  });

  test('of somebody unverified verifies them: the key proves the mailbox', async () => {
    await join(server, 'Anna', 'registered');
    await forgot(anna.email);
    const key = keyIn(await mailTo(server, anna.email, 2));
    await newPassword({ email: anna.email, key, newPw: 'brand new' });
    expect((await tryLogin('brand new')).body).toEqual({ isVerified: true });
  });

  test('of nobody is not found', async () => {
    const asked = await forgot('nobody@example.org');
    expect(asked.status).toBe(404);
    expect(asked.body.code).toBe('user_not_found');
    const set = await newPassword({ email: 'no@example.org', key: 'ABCDEFGH', newPw: 'brand new' });
    expect(set.status).toBe(404);
    expect(set.body.code).toBe('user_not_found');
  });

  test('stays as it is for a wrong, expired, replaced or missing key', async () => {
    await join(server, 'Anna', 'verified');
    const attempt = (key: string) => newPassword({ email: anna.email, key, newPw: 'brand new' });
    expect((await attempt('ABCDEFGH')).status).toBe(401);
    await forgot(anna.email);
    const first = keyIn(await mailTo(server, anna.email, 2));
    expect((await attempt('ABCDEFGH')).body.code).toBe('reset_key_wrong');
    await forgot(anna.email);
    const second = keyIn(await mailTo(server, anna.email, 3));
    expect((await attempt(first)).status).toBe(401);
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('account_keys').set({ expires_at: Date.now() }).execute(),
    );
    expect((await attempt(second)).status).toBe(401);
    expect((await tryLogin(anna.password)).status).toBe(200);
  });

  test('is guessed five times at most, in parallel too', async () => {
    await join(server, 'Anna', 'verified');
    await forgot(anna.email);
    const key = keyIn(await mailTo(server, anna.email, 2));
    const guesses = Array.from({ length: 12 }, (_, i) => `GUESS${100 + i}`);
    const attempt = (guess: string) =>
      newPassword({ email: anna.email, key: guess, newPw: 'brand new' });
    for (const { status } of await Promise.all(guesses.map(attempt))) expect(status).toBe(401);
    expect((await attempt(key)).status).toBe(401);
  });

  test('is set once where two use the key at the same moment', async () => {
    await join(server, 'Anna', 'verified');
    await forgot(anna.email);
    const key = keyIn(await mailTo(server, anna.email, 2));
    const answers = await Promise.all(
      ['password one', 'password two'].map((newPw) =>
        newPassword({ email: anna.email, key, newPw }),
      ),
    );
    expect(statuses(answers)).toEqual([200, 401]);
  });

  test.each([
    [{ email: anna.email, key: 'SHORT', newPw: 'brand new' }],
    [{ email: anna.email, key: 'ABCDEFGH', newPw: 'short' }],
    [{ email: anna.email, key: 'ABCDEFGH', newPw: ' \t        ' }],
    [{ email: 'anna', key: 'ABCDEFGH', newPw: 'brand new' }],
    [{ email: anna.email, key: null, newPw: 'brand new' }],
    ['{"email"'],
  ])('cannot be set by %j', async (body) => {
    expect((await newPassword(body)).body.code).toBe('invalid_request');
  });

  test.each([['anna'], [''], [{}], [null]])('cannot be asked for with %j', async (email) => {
    expect((await forgot(email)).body.code).toBe('invalid_request');
  });
});

describe('changing the password', () => {
  test('ends every other session and keeps this one', async () => {
    const member = await join(server, 'Anna');
    const [own] = await sessionIds();
    const other = server.client();
    await login(other, member);
    const events = recordEvents(server);
    const body = { oldPassword: anna.password, newPassword: 'brand new' };
    const answer = await member.request('PATCH', '/api/users/update', body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true });
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

  test('makes a reset key that is under way useless', async () => {
    const member = await join(server, 'Anna');
    await forgot(anna.email);
    const key = keyIn(await mailTo(server, anna.email, 2));
    const body = { oldPassword: anna.password, newPassword: 'brand new' };
    await member.request('PATCH', '/api/users/update', body);
    const reset = await newPassword({ email: anna.email, key, newPw: 'yet another' });
    expect(reset.status).toBe(401);
  });

  test('needs the current one, which is wrong for the second of two at the same moment', async () => {
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

  test('needs a session', async () => {
    const body = { oldPassword: anna.password, newPassword: 'brand new' };
    const answer = await server.client().request('PATCH', '/api/users/update', body);
    expect(answer.status).toBe(401);
  });
});
