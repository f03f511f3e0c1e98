import { costs } from '@parley/testing/costs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordEvents } from '../../test/chatting.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join, login } from '../../test/joining.ts';
import { createKnownDevices } from '../devices/known-devices.ts';
import { authenticate, startSession } from './login.service.ts';
import { createPasswordHasher } from './password-hasher.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const anna = details('Anna');
const tryLogin = (body: unknown) => server.client().request('POST', '/api/users/login', body);
const sessions = () =>
  server.ctx.storage.read((db) => db.selectFrom('sessions').selectAll().execute());

describe('logging in', () => {
  test('creates a session with an HttpOnly, SameSite cookie and a truncated device description', async () => {
    await join(server, 'Anna', 'verified');
    const client = server.client();
    const agent = { 'user-agent': 'Browser '.repeat(100) };
    const body = { email: ' ANNA@example.org ', password: anna.password };
    const response = await client.request('POST', '/api/users/login', body, agent);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ isVerified: true });
    const cookie = response.headers.getSetCookie()[0];
    expect(cookie).toMatch(/^parley\.sid=/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).not.toContain('Secure');
    expect((await client.request('GET', '/api/users/current')).status).toBe(200);

    const [session] = await sessions();
    expect(session?.device).toHaveLength(256);
    expect(decodeURIComponent(client.cookie)).not.toContain(session?.token_hash);
  });

  test('sets a secure cookie for a request over HTTPS', async () => {
    const proxied = await startServer({ PARLEY_TRUST_PROXY: '127.0.0.1' });
    await join(proxied, 'Anna', 'verified');
    const https = { 'x-forwarded-proto': 'https' };
    const response = await proxied.client().request('POST', '/api/users/login', anna, https);
    expect(response.headers.getSetCookie()[0]).toContain('Secure');
    await proxied.close();
  });

  test('sends the same 404 for a wrong password and an unknown email address', async () => {
    await join(server, 'Anna', 'verified');
    const hashes = [costs.hashes];
    const wrong = await tryLogin({ ...anna, password: 'something else' });
    hashes.push(costs.hashes);
    const unknown = await tryLogin({ ...anna, email: 'nobody@example.org' });
    hashes.push(costs.hashes);
    expect(wrong.status).toBe(404);
    expect(wrong.body.code).toBe('wrong_credentials');
    expect(unknown.body).toEqual(wrong.body);
    expect(server.log.filter((line) => line.includes('failed login'))).toEqual([]);
    // Otherwise, the time of a response tells which email addresses have accounts.
    const [before = 0, between = 0, after = 0] = hashes;
    expect([between - before, after - between]).toEqual([1, 1]);
    expect(await sessions()).toEqual([]);
  });

  test('reports an unverified account only with the correct password and creates no session', async () => {
    await join(server, 'Anna', 'registered');
    expect((await tryLogin({ ...anna, password: 'something else' })).status).toBe(404);
    const response = await tryLogin(anna);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ isVerified: false });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await sessions()).toEqual([]);
  });

  test('accepts a password in another Unicode normalization form or with surrounding spaces', async () => {
    const user = { ...anna, password: 'Schlüssel' };
    await server.client().request('POST', '/api/users/register', user);
    for (const password of ['Schlu\u0308ssel', ' Schlüssel\n']) {
      expect((await tryLogin({ ...anna, password })).status).toBe(200);
    }
    expect((await tryLogin({ ...anna, password: 'schlüssel' })).status).toBe(404);
  });

  test('creates a new session id and ends the previous session of the browser', async () => {
    const member = await join(server, 'Anna');
    const before = member.cookie;
    const [first] = await sessions();
    const events = recordEvents(server);
    await login(member, member);
    expect(member.cookie).not.toBe(before);
    expect(events).toEqual([
      { type: 'sessions-ended', sessionIds: [first?.id], reason: 'expired' },
    ]);
    expect(await sessions()).toHaveLength(1);

    // A login does not adopt a session id that an attacker planted (session fixation).
    const planted = server.client();
    planted.cookie = before;
    expect((await planted.request('GET', '/api/users/current')).status).toBe(401);
    await login(planted, member);
    expect(planted.cookie).not.toBe(before);
  });

  test('rejects a login if the password is changed after it was checked', async () => {
    await join(server, 'Anna', 'verified');
    const passwords = createPasswordHasher();
    const ctx = { ...server.ctx, passwords, devices: createKnownDevices('secret') };
    const user = await authenticate(ctx, anna, ['queue']);
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('users').set({ password_hash: 'another' }).execute(),
    );
    await expect(startSession(ctx, user, { token: 't', device: '' })).rejects.toThrow(
      'wrong_credentials',
    );
    expect(await sessions()).toEqual([]);
  });

  test.each([
    ['an empty body', undefined],
    ['malformed JSON', '{'],
    ['null', 'null'],
    ['a missing password', { email: anna.email }],
    ['a list of email addresses', { email: [anna.email], password: anna.password }],
    ['a password that is too short', { email: anna.email, password: '12345' }],
    ['an invalid email address', { email: 'anna@', password: anna.password }],
    ['an object as a password', { email: anna.email, password: { $ne: '' } }],
  ])('rejects %s', async (_, body) => {
    const response = await tryLogin(body);
    expect(response.status).toBe(400);
    expect(response.body.code).toBe('invalid_request');
  });

  test('rejects a login from a foreign origin or a page of another site', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const response = await server.client().request('POST', '/api/users/login', anna, headers);
      expect(response.status).toBe(403);
      expect(response.body.code).toBe('foreign_origin');
      expect(response.body).not.toHaveProperty('publicUrl');
    }
  });

  test('names the public URL to a page that was opened at another address', async () => {
    const publicUrl = 'https://chat.example.org';
    const config = { ...server.ctx.config, publicUrl };
    Object.defineProperty(server.ctx, 'config', { value: config });
    for (const headers of [
      { origin: server.url },
      { origin: 'http://chat.example.org' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { body } = await server.client().request('POST', '/api/users/login', anna, headers);
      expect(body).toMatchObject({ code: 'foreign_origin', publicUrl });
    }
  });
});

describe('logging out', () => {
  test('ends the session and clears its cookie', async () => {
    const member = await join(server, 'Anna');
    const cookie = member.cookie;
    const [session] = await sessions();
    const events = recordEvents(server);
    const response = await member.request('GET', '/api/users/logout');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true });
    expect(response.headers.getSetCookie()[0]).toMatch(/^parley\.sid=;.*Max-Age=0/);
    expect(events).toEqual([
      { type: 'sessions-ended', sessionIds: [session?.id], reason: 'logout' },
    ]);
    expect(await sessions()).toEqual([]);
    const other = server.client();
    other.cookie = cookie;
    expect((await other.request('GET', '/api/users/current')).status).toBe(401);
  });

  test('does not log out on a HEAD request', async () => {
    const member = await join(server, 'Anna');
    expect((await member.request('HEAD', '/api/users/logout')).status).toBe(404);
    expect((await member.request('GET', '/api/users/current')).status).toBe(200);
  });

  test('leaves clearing the cache of the browser to a response without cookies, which delays no other', async () => {
    const member = await join(server, 'Anna');
    const clear = '/api/users/clear-cache';
    const logout = await member.request('GET', '/api/users/logout');
    expect(logout.headers.get('clear-site-data')).toBeNull();
    const { status, headers } = await member.request('POST', clear);
    expect(status).toBe(200);
    expect(headers.get('clear-site-data')).toBe('"cache"');
    expect(headers.get('set-cookie')).toBeNull();
    const foreign = await member.request('POST', clear, undefined, {
      origin: 'https://evil.example',
    });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('clear-site-data')).toBeNull();
  });

  test('accepts a logout without a session', async () => {
    expect((await server.client().request('GET', '/api/users/logout')).status).toBe(200);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['following a link', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }],
  ])('rejects a logout by %s', async (_, headers) => {
    const member = await join(server, 'Anna');
    const response = await member.request('GET', '/api/users/logout', undefined, headers);
    expect(response.status).toBe(403);
    expect((await member.request('GET', '/api/users/current')).status).toBe(200);
  });
});
