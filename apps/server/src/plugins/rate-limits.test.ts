import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRoom } from '../../test/chatting.ts';
import { startServer, type TestAnswer, type TestServer } from '../../test/harness.ts';
import { details } from '../../test/joining.ts';

let server: TestServer;
afterEach(() => server.close());

const limited = async (env: Record<string, string> = {}) => {
  server = await startServer({
    PARLEY_RATE_LIMITS: 'true',
    PARLEY_TRUST_PROXY: 'true',
    ...env,
  });
};

/** A request as a proxy passes it on from an address. */
const from = (address: string, method: string, path: string, body?: unknown) =>
  server.client().request(method, path, body, { 'x-forwarded-for': address });

/** How many of the answers came before the first refusal by a limit. */
async function letThrough(ask: (i: number) => Promise<TestAnswer>, upTo: number): Promise<number> {
  for (let i = 0; i < upTo; i++) {
    const answer = await ask(i);
    if (answer.status === 429) {
      expect(answer.body.code).toBe('rate_limited');
      expect(answer.body.errorMessage).toBe('Too many requests. Please wait a moment.');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      return i;
    }
  }
  return upTo;
}

const verify = (address: string, email: string) =>
  from(address, 'POST', '/api/users/register/verify', { email, key: '123456' });

describe('by network address', () => {
  test('keys are tried 60 times at most, whoever they are for', async () => {
    await limited();
    const tries = await letThrough((i) => verify('192.0.2.1', `a${i}@example.org`), 80);
    expect(tries).toBe(60);
    expect((await verify('192.0.2.2', 'a@example.org')).status).toBe(409);
  });

  test('an IPv6 network is one address, whatever its last half', async () => {
    await limited();
    const tries = await letThrough((i) => verify(`2001:db8:1:2::${i}`, `a${i}@example.org`), 80);
    expect(tries).toBe(60);
    expect((await verify('2001:db8:1:3::1', 'a@example.org')).status).toBe(409);
  });

  test('an address that a client invents is passed over', async () => {
    await limited();
    const tries = await letThrough(
      (i) => verify(`198.51.100.${i}, 192.0.2.1`, `a${i}@example.org`),
      80,
    );
    expect(tries).toBe(60);
  });

  test('without a trusted proxy no header counts', async () => {
    await limited({ PARLEY_TRUST_PROXY: 'false' });
    const tries = await letThrough((i) => verify(`192.0.2.${i}`, `a${i}@example.org`), 80);
    expect(tries).toBe(60);
  });

  test('registrations and mails are 30 an hour', async () => {
    await limited({ PARLEY_REGISTRATION: 'closed' });
    const registered = await letThrough(
      (i) => from('192.0.2.1', 'POST', '/api/users/register', details(`Anna${i}`)),
      40,
    );
    expect(registered).toBe(30);
    const mailed = await letThrough(
      (i) => from('192.0.2.1', 'PATCH', '/api/users/forgot-pw', { email: `a${i}@example.org` }),
      40,
    );
    expect(mailed).toBe(30);
  });
});

describe('by mailbox', () => {
  test('keys are tried 20 times at most, from wherever', async () => {
    await limited();
    expect(await letThrough((i) => verify(`192.0.2.${i}`, ' ANNA@example.org'), 30)).toBe(20);
  });

  test('mails are 5 an hour, resend and forgot together', async () => {
    await limited();
    const email = 'anna@example.org';
    const ask = (i: number) =>
      i % 2 === 0
        ? from(`192.0.2.${i}`, 'PATCH', '/api/users/forgot-pw', { email })
        : from(`192.0.2.${i}`, 'POST', '/api/users/register/resend', { email });
    expect(await letThrough(ask, 10)).toBe(5);
  });

  test('a password is guessed 10 times from one address, and others can still log in', async () => {
    await limited();
    const guess = (address: string) =>
      from(address, 'POST', '/api/users/login', { ...details('Anna'), password: 'a guess' });
    expect(await letThrough(() => guess('192.0.2.1'), 20)).toBe(10);
    expect((await guess('192.0.2.2')).status).toBe(404);
    const other = { ...details('Berta'), password: 'a guess' };
    expect((await from('192.0.2.1', 'POST', '/api/users/login', other)).status).toBe(404);
  });
});

describe('by account', () => {
  test('searches are 60 a minute, from however many devices', async () => {
    await limited();
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
    expect(await letThrough(search, 80)).toBe(60);
    const berta = await server.signIn('Berta');
    const answer = await berta.request('POST', '/api/chatrooms/exist', { username: 'nobody' });
    expect(answer.status).toBe(404);
  });

  test('the current password is asked for 10 times in ten minutes', async () => {
    await limited();
    const anna = await server.signIn('Anna');
    // Too short, so that no time is spent on hashes.
    const change = () =>
      anna.request('PATCH', '/api/users/update', { oldPassword: '      ', newPassword: '      ' });
    expect(await letThrough(change, 20)).toBe(10);
  });

  test('a lively chat meets no limit, a flood does', async () => {
    await limited();
    const anna = await server.signIn('Anna');
    const room = await createRoom(anna, await server.signIn('Berta'));
    const send = (i: number) =>
      anna.request('POST', '/api/messages/send', { chatroom: room, content: `${i}` });
    expect(await letThrough(send, 200)).toBe(200);
    expect(await letThrough(send, 200)).toBeLessThan(200);
  });
});

test('a stranger is told to log in before anything is counted', async () => {
  await limited();
  for (let i = 0; i < 70; i++) {
    const answer = await from('192.0.2.1', 'POST', '/api/chatrooms/exist', { username: 'x' });
    expect(answer.status).toBe(401);
  }
});

test('can be switched off', async () => {
  await limited({ PARLEY_RATE_LIMITS: 'false' });
  expect(await letThrough((i) => verify('192.0.2.1', `a${i}@example.org`), 80)).toBe(80);
});

test('a limit is over when its window is', async () => {
  await limited();
  expect(await letThrough(() => verify('192.0.2.1', 'anna@example.org'), 30)).toBe(20);
  const later = Date.now() + 61 * 60 * 1000;
  vi.spyOn(Date, 'now').mockImplementation(() => later);
  expect((await verify('192.0.2.1', 'anna@example.org')).status).toBe(409);
  vi.restoreAllMocks();
});
