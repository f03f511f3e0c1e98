import { randomUUID } from 'node:crypto';
import { defineAttack, type AttackTarget } from './attack.ts';

/** Simultaneous requests of a continuous attack. */
const CONCURRENCY = 20;
/** Minimum number of requests, however slow the server is. Exceeds every rate limit. */
const REQUESTS_MIN = 100;

/** Number of responses by status; 0 stands for failed requests. */
type Statuses = Record<string, number>;

/** Tries to lock a user out with failed attempts for the user's email. */
export const lockout = defineAttack({
  summary: 'wrong logins, wrong keys and reset requests for a user who then logs in',
  env: { PARLEY_TRUST_PROXY: 'true' },
  prepare: async (server) => ({ email: `${(await server.signIn('Owner')).id}@example.org` }),
  async run({ url, prepared: { email } }: AttackTarget<{ email: string }>) {
    const post = (address: string, method: string, path: string, body: object) =>
      sendRequest(`${url}/api/users/${path}`, method, body, { 'x-forwarded-for': address });
    for (let i = 0; i < 110; i += 1) {
      await post(`198.51.100.${i % 11}`, 'POST', 'login', { email, password: 'guessed' });
    }
    for (let i = 0; i < 20; i += 1) {
      await post('198.51.100.1', 'PATCH', 'new-pw', { email, key: 'WRONGKEY', newPw: 'guessed' });
    }
    for (let i = 0; i < 10; i += 1) {
      await post('198.51.100.1', 'PATCH', 'forgot-pw', { email });
    }
    const own = '192.0.2.1';
    const wrongKey = { email, key: 'WRONGKEY', newPw: 'guessed' };
    return {
      ownResetStatus: await post(own, 'PATCH', 'forgot-pw', { email }),
      ownKeyStatus: await post(own, 'PATCH', 'new-pw', wrongKey),
      ownLoginStatus: await post(own, 'POST', 'login', { email, password: 'password' }),
    };
  },
});

/** Makes one client look like many clients by forging `X-Forwarded-For`. */
export const forwardedAddresses = defineAttack({
  summary:
    'one client forwards the addresses of many: with ports, invalid ones, and networks of one /48',
  env: { PARLEY_TRUST_PROXY: 'true' },
  async run({ url }) {
    const kinds: Record<string, (i: number) => string> = {
      ports: (i) => `192.0.2.1:${1024 + i}`,
      garbage: (i) => `garbage${i}`,
      networks: (i) => `2001:db8:1:${i.toString(16)}::1`,
    };
    const counts: Statuses = {};
    for (const [kind, address] of Object.entries(kinds)) {
      counts[`${kind}LetThrough`] = 0;
      for (let i = 0; i < 200; i += 1) {
        const body = { email: `somebody${i}@example.org`, key: '123456' };
        const headers = { 'x-forwarded-for': address(i) };
        const status = await sendRequest(`${url}/api/users/register/verify`, 'POST', body, headers);
        if (status !== 429) counts[`${kind}LetThrough`]! += 1;
      }
    }
    return counts;
  },
});

/** Looks up usernames with first messages instead of the search. */
export const nameLookups = defineAttack({
  summary: 'one account probes for existing names with first messages that cannot be sent',
  prepare: signInAttacker,
  run: (target) =>
    repeatedly(target, (i) => [
      '/api/chatrooms/create',
      { partnerName: `name${i}`, content: `${target.url}/media/${randomUUID()}.png` },
    ]),
});

/** Requests changes in as many chatrooms as one request may contain. */
export const resyncFlood = defineAttack({
  summary:
    'one account requests changes in 1,000 chatrooms, with 20 concurrent requests, continuously',
  prepare: signInAttacker,
  run: (target) => {
    const since = Object.fromEntries(Array.from({ length: 1_000 }, () => [randomUUID(), 0]));
    return repeatedly(target, () => ['/api/chatrooms/changes', { since, limit: 1_000 }]);
  },
});

async function signInAttacker(server: Parameters<NonNullable<typeof lockout.prepare>>[0]) {
  return { cookie: (await server.signIn('Attacker')).cookie };
}

async function repeatedly(
  { url, prepared, signal }: AttackTarget<{ cookie: string }>,
  request: (i: number) => readonly [path: string, body: object],
): Promise<Statuses> {
  const counts: Statuses = {};
  let next = 0;
  const one = async () => {
    while (!signal.aborted || next < REQUESTS_MIN) {
      next += 1;
      const [path, body] = request(next);
      const status = await sendRequest(url + path, 'POST', body, { cookie: prepared.cookie });
      counts[`status${status}`] = (counts[`status${status}`] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
  return counts;
}

/** Returns the status, or 0 without a response. */
async function sendRequest(
  url: string,
  method: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
