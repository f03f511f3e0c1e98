import { randomUUID } from 'node:crypto';
import { defineAttack, type Target } from './attack.ts';

/** Requests of one kind that an attack without end makes at once. */
const AT_ONCE = 20;
/** Requests that it makes however slow the server is: more than any limit lets through. */
const REQUESTS_MIN = 100;

/** Counts responses by status; 0 stands for requests that failed. */
type Statuses = Record<string, number>;

/** Keeps others out by failures in their name, unless failures count by whose they are. */
export const lockout = defineAttack({
  summary: 'wrong logins, wrong keys and reset requests for somebody who then wants to get in',
  env: { PARLEY_TRUST_PROXY: 'true' },
  prepare: async (server) => ({ email: `${(await server.signIn('Owner')).id}@example.org` }),
  async run({ url, prepared: { email } }: Target<{ email: string }>) {
    const post = (address: string, method: string, path: string, body: object) =>
      ask(`${url}/api/users/${path}`, method, body, { 'x-forwarded-for': address });
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

/** Makes one client look like many by what it writes into `X-Forwarded-For`. */
export const forwardedAddresses = defineAttack({
  summary: 'guesses keys with ports, garbage and ever new /64s of one /48 as forwarded address',
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
        const status = await ask(`${url}/api/users/register/verify`, 'POST', body, headers);
        if (status !== 429) counts[`${kind}LetThrough`]! += 1;
      }
    }
    return counts;
  },
});

/** Asks for names by way of the first message instead of the search. */
export const nameLookups = defineAttack({
  summary: 'one account tells existing names from others by first messages that cannot be sent',
  prepare: signInAttacker,
  run: (target) =>
    repeatedly(target, (i) => [
      '/api/chatrooms/create',
      { partnerName: `name${i}`, content: `${target.url}/media/${randomUUID()}.png` },
    ]),
});

/** Catches up in as many chatrooms as one request may name. */
export const catchingUp = defineAttack({
  summary: 'one account asks for changes in 1,000 chatrooms, 20 requests at once without end',
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
  { url, prepared, signal }: Target<{ cookie: string }>,
  request: (i: number) => readonly [path: string, body: object],
): Promise<Statuses> {
  const counts: Statuses = {};
  let next = 0;
  const one = async () => {
    while (!signal.aborted || next < REQUESTS_MIN) {
      next += 1;
      const [path, body] = request(next);
      const status = await ask(url + path, 'POST', body, { cookie: prepared.cookie });
      counts[`status${status}`] = (counts[`status${status}`] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return counts;
}

/** Returns the status; 0 if there was no response. */
async function ask(
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
