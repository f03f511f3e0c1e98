import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { bmpOfSize } from '../../test/expensive-images.ts';
import { startServer, type TestResponse, type TestServer } from '../../test/harness.ts';
import { details, join } from '../../test/joining.ts';
import { getKey, waitForMail } from '../../test/mails.ts';
import { sample } from '../../test/samples.ts';
import { createInvitation } from '../invitations/invitation.service.ts';
import { runOn } from '../../test/test-database.ts';
import { upload } from '../../test/uploading.ts';

let server: TestServer;
afterEach(() => server.close());

const startLimited = async (env: Record<string, string> = {}) => {
  server = await startServer({
    PARLEY_RATE_LIMITS: 'true',
    PARLEY_TRUST_PROXY: 'true',
    ...env,
  });
};

/** Returns the device cookie that a response sets, or an empty string. */
const getDeviceCookie = ({ headers }: TestResponse) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('parley.device='))
    ?.split(';')[0] ?? '';

/** Sends a request as a proxy forwards it from an IP address. */
const from = (address: string, method: string, path: string, body?: unknown) =>
  server.client().request(method, path, body, { 'x-forwarded-for': address });

/** Returns the number of requests that are allowed before one is rate-limited, at most `upTo`. */
async function countAllowed(
  sendRequest: (i: number) => Promise<TestResponse>,
  upTo: number,
): Promise<number> {
  for (let i = 0; i < upTo; i++) {
    const response = await sendRequest(i);
    if (response.status === 429) {
      expect(response.body.code).toBe('rate_limited');
      const seconds = Number(response.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      const cause = `Too many requests${response.body.limitedBy === 'network' ? ' from your network' : ''}.`;
      expect(response.body.errorMessage).toBe(
        seconds > 60
          ? `${cause} Please try again in ${Math.ceil(seconds / 60)} minutes.`
          : `${cause} Please wait a moment.`,
      );
      return i;
    }
  }
  return upTo;
}

const verify = (address: string, email: string) =>
  from(address, 'POST', '/api/users/register/verify', { email, key: '123456' });

const guess = (address: string, username: string) =>
  from(address, 'POST', '/api/users/login', { ...details(username), password: 'a guess' });

describe('rate limiting by network address', () => {
  test('allows 60 key attempts in total for all accounts', async () => {
    await startLimited();
    const attempts = await countAllowed((i) => verify('192.0.2.1', `a${i}@example.org`), 80);
    expect(attempts).toBe(60);
    const rejected = await verify('192.0.2.1', 'a@example.org');
    expect(rejected.body).toMatchObject({ code: 'rate_limited', limitedBy: 'network' });
    expect((await verify('192.0.2.2', 'a@example.org')).status).toBe(409);
  });

  test('counts an IPv6 /48 network as one address', async () => {
    await startLimited();
    const attempts = await countAllowed(
      (i) => verify(`2001:db8:1:${i}::${i}`, `a${i}@example.org`),
      80,
    );
    expect(attempts).toBe(60);
    expect((await verify('2001:db8:2::1', 'a@example.org')).status).toBe(409);
  });

  test.each([
    ['a port', (i: number) => `192.0.2.1:${1024 + i}`],
    ['brackets and a port', (i: number) => `[2001:db8::1]:${1024 + i}`],
    ['a different notation', (i: number) => `${i % 2 === 0 ? '::FFFF:' : ''}192.0.2.1`],
    ['an invalid address', (i: number) => `garbage${i}`],
  ])('counts the same address despite %s', async (_what, address) => {
    await startLimited();
    expect(await countAllowed((i) => verify(address(i), `a${i}@example.org`), 80)).toBe(60);
  });

  test('normalizes addresses behind configured proxies, too', async () => {
    await startLimited({ PARLEY_TRUST_PROXY: '127.0.0.1,::1,10.0.0.0/8' });
    const forwarded = (i: number) => `198.51.100.${i}, 192.0.2.1:${1024 + i}, 10.0.0.${i}:80`;
    expect(await countAllowed((i) => verify(forwarded(i), `a${i}@example.org`), 80)).toBe(60);
  });

  test('ignores forged forwarded addresses', async () => {
    await startLimited();
    const attempts = await countAllowed(
      (i) => verify(`198.51.100.${i}, 192.0.2.1`, `a${i}@example.org`),
      80,
    );
    expect(attempts).toBe(60);
  });

  test('ignores all forwarding headers without a trusted proxy', async () => {
    await startLimited({ PARLEY_TRUST_PROXY: 'false' });
    const attempts = await countAllowed((i) => verify(`192.0.2.${i}`, `a${i}@example.org`), 80);
    expect(attempts).toBe(60);
  });

  test('allows 60 guesses of an invitation, without counting valid ones', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const { body } = await anna.request('POST', '/api/invitations', { isSingleUse: true });
    const preview = (address: string, code: string) =>
      from(address, 'POST', '/api/invitations/preview', { code });
    expect((await preview('192.0.2.1', body.code)).status).toBe(200);
    expect(await countAllowed((i) => preview('192.0.2.1', `guess${i}`), 80)).toBe(60);
    expect((await preview('192.0.2.1', body.code)).status).toBe(429);
    expect((await preview('192.0.2.2', body.code)).status).toBe(200);
  });

  test.each([
    ['30 registrations and 30 mails', {}, 30, 30],
    ['as many registrations and mails as set', { PARLEY_REGISTRATIONS_PER_HOUR: '40' }, 40, 40],
    ['few registrations if set', { PARLEY_REGISTRATIONS_PER_HOUR: '2' }, 2, 30],
  ])('allows %s per hour', async (_, env, registrations, mails) => {
    await startLimited({ PARLEY_REGISTRATION: 'closed', ...env });
    const register = (i: number) =>
      from('192.0.2.1', 'POST', '/api/users/register', details(`Anna${i}`));
    expect(await countAllowed(register, 50)).toBe(registrations);
    expect((await register(0)).body).toMatchObject({ limitedBy: 'network' });
    const mailed = await countAllowed(
      (i) => from('192.0.2.1', 'PATCH', '/api/users/forgot-pw', { email: `a${i}@example.org` }),
      50,
    );
    expect(mailed).toBe(mails);
  });

  test('allows ten times as many registrations with an invitation, also after others', async () => {
    await startLimited({ PARLEY_REGISTRATION: 'invite', PARLEY_REGISTRATIONS_PER_HOUR: '3' });
    const { code: invitation } = await server.ctx.storage.write((write) =>
      createInvitation(write, { uses: 40, days: 1, note: 'the class' }),
    );
    // The username is taken, so that no password is hashed and the invitation keeps its uses.
    const { username } = await server.signIn('Taken');
    const register = (code: string | undefined) =>
      from('192.0.2.1', 'POST', '/api/users/register', {
        ...details('Pupil'),
        username,
        ...(code !== undefined && { invitation: code }),
      });
    for (const guessed of [undefined, 'guessed', `${invitation}x`]) {
      expect((await register(guessed)).body.code).toBe('invitation_invalid');
    }
    expect((await register(undefined)).status).toBe(429);
    expect(await countAllowed(() => register(invitation), 40)).toBe(30);
    expect((await register(invitation)).body).toMatchObject({ limitedBy: 'network' });
  });

  test('gives unused and used up invitations no other limit', async () => {
    await startLimited({ PARLEY_REGISTRATIONS_PER_HOUR: '3' });
    const { username } = await server.signIn('Taken');
    const [used, ofOperator] = await server.ctx.storage.write(async (write) => [
      await createInvitation(write, { uses: 0, days: 1, note: '' }),
      // Registration is open, so only invitations of users have a use.
      await createInvitation(write, { uses: 9, days: 1, note: '' }),
    ]);
    const register = (i: number) =>
      from('192.0.2.1', 'POST', '/api/users/register', {
        ...details('Pupil'),
        username,
        invitation: (i % 2 === 0 ? used : ofOperator).code,
      });
    expect(await countAllowed(register, 9)).toBe(3);
  });
});

describe('rate limiting by mailbox', () => {
  test('allows 10 key attempts from one address without affecting other addresses', async () => {
    await startLimited();
    expect(await countAllowed(() => verify('192.0.2.1', ' ANNA@example.org'), 30)).toBe(10);
    const rejected = await verify('192.0.2.1', 'anna@example.org');
    expect(rejected.body).not.toHaveProperty('limitedBy');
    for (let i = 2; i < 40; i += 1) {
      expect((await verify(`192.0.2.${i}`, 'anna@example.org')).status).toBe(409);
    }
  });

  test('allows 5 mails per hour from one address, for resend and forgot together', async () => {
    await startLimited();
    const email = 'anna@example.org';
    const requestMail = (address: string, i: number) =>
      i % 2 === 0
        ? from(address, 'PATCH', '/api/users/forgot-pw', { email })
        : from(address, 'POST', '/api/users/register/resend', { email });
    expect(await countAllowed((i) => requestMail('192.0.2.1', i), 10)).toBe(5);
    expect((await requestMail('192.0.2.2', 0)).status).toBe(404);
    // The mailbox also has a limit for all addresses together.
    expect(await countAllowed((i) => requestMail(`198.51.100.${i}`, i), 30)).toBe(20 - 6);
  });

  test('allows two registrations of an address per hour from one network, without counting failed ones', async () => {
    await startLimited();
    await join(server, 'Taken', 'verified');
    const register = (network: string, username: string) =>
      from(network, 'POST', '/api/users/register', {
        ...details(username),
        email: 'anna@example.org',
      });
    for (let i = 0; i < 3; i += 1) {
      expect((await register('192.0.2.1', 'Taken')).status).toBe(409);
    }
    expect(await countAllowed((i) => register('192.0.2.1', `Anna${i}`), 5)).toBe(2);
    expect((await register('192.0.2.2', 'Anna')).status).toBe(201);
  });

  test('allows 10 password attempts from one address, and other addresses can still log in', async () => {
    await startLimited();
    expect(await countAllowed(() => guess('192.0.2.1', 'Anna'), 20)).toBe(10);
    expect((await guess('192.0.2.2', 'Anna')).status).toBe(404);
    expect((await guess('192.0.2.1', 'Berta')).status).toBe(404);
  });

  test('allows two attempts per address after guessing from many, and still accepts the correct password', async () => {
    await startLimited();
    await join(server, 'Anna', 'verified');
    for (let i = 0; i < 100; i += 1) {
      expect((await guess(`192.0.2.${Math.floor(i / 9)}`, 'Anna')).status).toBe(404);
    }
    expect(await countAllowed(() => guess('198.51.100.1', 'Anna'), 10)).toBe(2);
    expect((await guess('192.0.2.1', 'Anna')).status).toBe(429);
    const login = await from('198.51.100.2', 'POST', '/api/users/login', details('Anna'));
    expect(login.status).toBe(200);
    // The long timeout is needed to hash a hundred passwords.
  }, 180_000);

  test('allows 60 logins per hour, which a new password begins anew and ending sessions does not', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const email = `${anna.id}@example.org`;
    const login = (password: string) =>
      from('192.0.2.1', 'POST', '/api/users/login', { email, password });
    const change = { oldPassword: 'password', newPassword: 'new password' };
    // Attempts by others use up nothing.
    expect((await login('a guess')).status).toBe(404);
    // The logins would end the oldest session.
    expect(await countAllowed(() => login('password'), 40)).toBe(40);
    expect((await anna.request('DELETE', '/api/sessions')).status).toBe(200);
    expect(await countAllowed(() => login('password'), 25)).toBe(20);
    expect((await anna.request('PATCH', '/api/users/update', change)).status).toBe(200);
    expect((await login('new password')).status).toBe(200);
    // The long timeout is needed to check the passwords.
  }, 60_000);
});

describe('a device on which the owner has logged in', () => {
  const EMAIL = details('Anna').email;

  /** Returns the cookies of Anna's browser after a login. */
  async function knownDevice(): Promise<string> {
    await join(server, 'Anna', 'verified');
    const login = await from('192.0.2.1', 'POST', '/api/users/login', details('Anna'));
    const cookie = login.headers.getSetCookie().find((c) => c.startsWith('parley.device='));
    expect(cookie).toMatch(/; Path=\/api; HttpOnly; SameSite=Strict$/);
    return cookie?.split(';')[0] ?? '';
  }

  const on = (cookie: string, method: string, path: string, body: unknown) =>
    server.client().request(method, path, body, { cookie, 'x-forwarded-for': '192.0.2.1' });

  test('can log in, enter keys and request them despite exceeded limits at its address', async () => {
    await startLimited();
    const cookie = await knownDevice();
    await countAllowed(() => guess('192.0.2.1', 'Anna'), 20);
    await countAllowed((i) => guess('192.0.2.1', `Somebody${i}`), 200);
    await countAllowed((i) => verify('192.0.2.1', i < 20 ? EMAIL : `a${i}@example.org`), 100);
    for (let i = 0; i < 6; i += 1) {
      await countAllowed(
        () => from(`192.0.2.${i}`, 'PATCH', '/api/users/forgot-pw', { email: EMAIL }),
        9,
      );
    }

    const { email, password } = details('Anna');
    expect((await on('', 'POST', '/api/users/login', { email, password })).status).toBe(429);
    expect((await on(cookie, 'POST', '/api/users/login', { email, password })).status).toBe(200);
    expect((await on(cookie, 'PATCH', '/api/users/forgot-pw', { email })).status).toBe(200);
    const reset = { email, key: 'WRONGKEY', newPw: 'another secret' };
    expect((await on('', 'PATCH', '/api/users/new-pw', reset)).status).toBe(429);
    expect((await on(cookie, 'PATCH', '/api/users/new-pw', reset)).status).toBe(401);
  });

  test('shares 10 attempts with all devices of the account, and is not known for other accounts', async () => {
    await startLimited();
    const cookie = await knownDevice();
    const another = await from('192.0.2.1', 'POST', '/api/users/login', details('Anna'));
    const devices = [cookie, getDeviceCookie(another)];
    expect(devices[1]).toMatch(/^parley\.device=/);
    const wrong = { ...details('Anna'), password: 'a guess' };
    const attempts = await countAllowed(
      (i) => on(devices[i % 2] ?? '', 'POST', '/api/users/login', wrong),
      20,
    );
    expect(attempts).toBe(10);
    // At another address, the owner has the attempts of every user.
    const own = await server.client().request('POST', '/api/users/login', details('Anna'), {
      cookie,
      'x-forwarded-for': '203.0.113.1',
    });
    expect(own.status).toBe(200);
    await join(server, 'Berta', 'verified');
    await countAllowed(() => guess('192.0.2.1', 'Berta'), 20);
    expect((await on(cookie, 'POST', '/api/users/login', details('Berta'))).status).toBe(429);
  });

  test.each([
    [
      'the password is changed',
      (session: string, device: string) =>
        on(`${session}; ${device}`, 'PATCH', '/api/users/update', {
          oldPassword: details('Anna').password,
          newPassword: 'new password',
        }),
      'new password',
    ],
    [
      'all other sessions are ended',
      (session: string, device: string) =>
        on(`${session}; ${device}`, 'DELETE', '/api/sessions', undefined),
      details('Anna').password,
    ],
  ])('is forgotten once %s, unless it was there', async (_what, endSessions, password) => {
    await startLimited();
    const old = await knownDevice();
    const email = EMAIL;
    const login = await on(old, 'POST', '/api/users/login', details('Anna'));
    const [session = ''] = login.headers.getSetCookie().map((c) => c.split(';')[0] ?? '');
    const ended = await endSessions(session, getDeviceCookie(login));
    expect(ended.status).toBe(200);
    await countAllowed(() => guess('192.0.2.1', 'Anna'), 20);
    const attempt = async (cookie: string) =>
      (await on(cookie, 'POST', '/api/users/login', { email, password })).status;
    expect(await attempt(old)).toBe(429);
    expect(await attempt(getDeviceCookie(login))).toBe(429);
    expect(await attempt(getDeviceCookie(ended))).toBe(200);
    // As a browser sends it that has a cookie of an earlier version with a longer path.
    const outdated = 'parley.device=1790000000.aaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa';
    expect(await attempt(`${outdated}; ${getDeviceCookie(ended)}`)).toBe(200);
  });

  test('is forgotten after a reset, unless the reset was there', async () => {
    await startLimited();
    const old = await knownDevice();
    await on(old, 'PATCH', '/api/users/forgot-pw', { email: EMAIL });
    const key = getKey(await waitForMail(server, EMAIL, 2));
    const body = { email: EMAIL, key, newPw: 'new password' };
    const reset = await on('', 'PATCH', '/api/users/new-pw', body);
    expect(reset.status).toBe(200);
    await countAllowed(() => guess('192.0.2.1', 'Anna'), 20);
    const attempt = async (cookie: string) =>
      (await on(cookie, 'POST', '/api/users/login', { email: EMAIL, password: 'new password' }))
        .status;
    expect(await attempt(old)).toBe(429);
    expect(await attempt(getDeviceCookie(reset))).toBe(200);
  });

  test('requests few mails in addition to those of the mailbox, on all devices together', async () => {
    await startLimited();
    const cookie = await knownDevice();
    const login = await on(cookie, 'POST', '/api/users/login', details('Anna'));
    const requestMail = (address: string, device: string) =>
      server
        .client()
        .request(
          'PATCH',
          '/api/users/forgot-pw',
          { email: EMAIL },
          { cookie: device, 'x-forwarded-for': address },
        );
    await countAllowed((i) => requestMail(`198.51.100.${i}`, ''), 30);
    const devices = [cookie, getDeviceCookie(login)];
    expect(await countAllowed((i) => requestMail('192.0.2.1', devices[i % 2] ?? ''), 10)).toBe(5);
  });

  test('cannot be forged by changing the cookie', async () => {
    await startLimited();
    const cookie = await knownDevice();
    await countAllowed(() => guess('192.0.2.1', 'Anna'), 20);
    for (const forged of [
      cookie.slice(0, -1),
      cookie.replace(/=\d/, '=9'),
      'parley.device=~~',
      'parley.device=x',
    ]) {
      expect((await on(forged, 'POST', '/api/users/login', details('Anna'))).status).toBe(429);
    }
  });

  test('is known for several accounts and forgets a deleted account', async () => {
    await startLimited({ PARLEY_RATE_LIMITS: 'false' });
    const annas = await knownDevice();
    await join(server, 'Berta', 'verified');
    const login = await on(annas, 'POST', '/api/users/login', details('Berta'));
    const [session = '', both = ''] = login.headers
      .getSetCookie()
      .map((c) => c.split(';')[0] ?? '');
    expect(both.split('~')[1]).toBe(annas.split('=')[1]);
    const deleted = await on(`${session}; ${both}`, 'DELETE', '/api/users/delete', undefined);
    expect(deleted.status).toBe(200);
    expect(deleted.headers.getSetCookie().some((c) => c.startsWith(`${annas};`))).toBe(true);
  });
});

describe('rate limiting by account', () => {
  test('allows 60 searches per minute over all devices', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const search = (i: number) =>
      anna.request(
        'POST',
        '/api/chatrooms/exist',
        { username: `name${i}` },
        {
          'x-forwarded-for': `192.0.2.${i}`,
        },
      );
    expect(await countAllowed(search, 80)).toBe(60);
    const berta = await server.signIn('Berta');
    const response = await berta.request('POST', '/api/chatrooms/exist', { username: 'nobody' });
    expect(response.status).toBe(404);
  });

  test('counts first messages as searches, whether or not they are sent', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const content = `${server.url}/media/01890000-0000-7000-8000-000000000000.png`;
    const create = (i: number) =>
      anna.request('POST', '/api/chatrooms/create', { partnerName: `name${i}`, content });
    expect(await countAllowed(create, 80)).toBe(60);
    const search = await anna.request('POST', '/api/chatrooms/exist', { username: 'nobody' });
    expect(search.status).toBe(429);
  });

  test('counts resyncs by the number of chatrooms, separately from other reads', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const since = Object.fromEntries(Array.from({ length: 1_000 }, () => [randomUUID(), 0]));
    const resync = () => anna.request('POST', '/api/chatrooms/changes', { since });
    expect(await countAllowed(resync, 80)).toBe(57);
    expect((await anna.request('GET', '/api/chatrooms/chats')).status).toBe(200);
  });

  test('allows 20 uploads that are too complex in ten minutes, and any number of others', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const picture = sample('picture.jpg');
    for (let i = 0; i < 5; i += 1) expect((await upload(anna, 'image', picture)).status).toBe(201);
    const bomb = bmpOfSize(8_000, 6_000, 'runs');
    expect(await countAllowed(() => upload(anna, 'image', bomb), 25)).toBe(20);
    expect((await upload(anna, 'image', picture)).status).toBe(429);
    const berta = await server.signIn('Berta');
    expect((await upload(berta, 'image', picture)).status).toBe(201);
  });

  test('allows 10 attempts to enter the current password in ten minutes', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    // The password is too short, so no hash is computed.
    const change = () =>
      anna.request('PATCH', '/api/users/update', { oldPassword: '      ', newPassword: '      ' });
    expect(await countAllowed(change, 20)).toBe(10);
  });

  test('allows a fast conversation and limits a flood', async () => {
    await startLimited();
    const anna = await server.signIn('Anna');
    const room = await beginChat(anna, await server.signIn('Berta'));
    const send = (i: number) =>
      anna.request('POST', '/api/messages/send', { chatroom: room, content: `${i}` });
    expect(await countAllowed(send, 200)).toBe(200);
    expect(await countAllowed(send, 200)).toBeLessThan(200);
  });
});

test('guests are rejected before their requests are counted', async () => {
  await startLimited();
  for (let i = 0; i < 70; i++) {
    const response = await from('192.0.2.1', 'POST', '/api/chatrooms/exist', { username: 'x' });
    expect(response.status).toBe(401);
  }
});

test('rate limits can be disabled', async () => {
  await startLimited({ PARLEY_RATE_LIMITS: 'false' });
  expect(await countAllowed((i) => verify('192.0.2.1', `a${i}@example.org`), 80)).toBe(80);
});

test('requests are allowed again after the window', async () => {
  await startLimited();
  expect(await countAllowed(() => verify('192.0.2.1', 'anna@example.org'), 30)).toBe(10);
  const duration = 61 * 60 * 1000;
  const later = performance.now() + duration;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  // PostgreSQL has a clock of its own.
  const url = server.variables['PARLEY_DATABASE_URL'];
  if (url !== undefined)
    await runOn(url, `update shared_counters set ends_at = ends_at - ${duration}`);
  expect((await verify('192.0.2.1', 'anna@example.org')).status).toBe(409);
  vi.restoreAllMocks();
});

test('limits downloads of exports apart from those of media', async () => {
  await startLimited();
  const ada = await server.signIn('Ada');
  const path = `/api/exports/${randomUUID()}/file`;
  expect(await countAllowed(() => ada.request('GET', path), 100)).toBe(60);
  expect((await ada.request('GET', `/media/${randomUUID()}.png`)).status).toBe(404);
});
