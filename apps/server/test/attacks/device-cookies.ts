import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient, type TestResponse, type TestServer } from '../harness.ts';
import { defineAttack, type AttackTarget } from './attack.ts';

/** Logins of the attacker to obtain device cookies: more than jobs can wait for the password hasher. */
const LOGINS = 220;
/** Attempts of each kind by other users. */
const ATTEMPTS = 10;
const ATTACKER_ADDRESS = '198.51.100.1';

interface Account {
  readonly email: string;
  readonly cookie: string;
}

/** Occupies the password hasher with one account and as many device cookies as it can get. */
export const deviceCookies = defineAttack({
  summary: `one account collects up to ${LOGINS} device cookies and guesses with each, while others log in, register and change passwords`,
  env: { PARLEY_TRUST_PROXY: 'true' },
  prepare: async (server) => ({
    attacker: await createAccount(server, 'Attacker'),
    owner: await createAccount(server, 'Owner'),
    changer: await createAccount(server, 'Changer'),
  }),
  async run({ url, prepared }: AttackTarget<Record<'attacker' | 'owner' | 'changer', Account>>) {
    const { attacker, owner, changer } = prepared;
    const cookies = await collectDeviceCookies(url, attacker.email, LOGINS);
    const counts = { devices: cookies.length, guessed: 0, limited: 0, unavailable: 0 };
    const ended = new AbortController();
    const flood = cookies.map(async (cookie) => {
      while (!ended.signal.aborted) {
        const { status } = await logIn(url, attacker.email, 'guessed', cookie);
        if (status === 404) counts.guessed += 1;
        else if (status === 503) counts.unavailable += 1;
        else counts.limited += 1;
        if (status === 429) await sleep(100);
      }
    });
    const refused = async (attempt: (i: number) => Promise<TestResponse>, accepted: number) => {
      let count = 0;
      for (let i = 0; i < ATTEMPTS; i += 1) {
        if ((await attempt(i)).status !== accepted) count += 1;
        await sleep(100);
      }
      return count;
    };
    const [loginsRefused, registrationsRefused, changesRefused] = await Promise.all([
      refused(() => logIn(url, owner.email, 'password', '', '192.0.2.1'), 200),
      refused((i) => register(url, `New${i}`, '192.0.2.2'), 201),
      refused((i) => changePassword(url, changer.cookie, i, '192.0.2.3'), 200),
    ]);
    ended.abort();
    await Promise.all(flood);
    return { ...counts, loginsRefused, registrationsRefused, changesRefused };
  },
});

/** Guesses the new password with the device cookies from the time of the old one. */
export const formerPassword = defineAttack({
  summary: 'guesses the new password of an account with 45 device cookies from before the change',
  env: { PARLEY_TRUST_PROXY: 'true' },
  prepare: async (server) => ({ owner: await createAccount(server, 'Owner') }),
  async run({ url, prepared: { owner } }: AttackTarget<{ owner: Account }>) {
    const cookies = await collectDeviceCookies(url, owner.email, 45);
    const change = await changePassword(url, owner.cookie, 0, '192.0.2.1');
    const guesses = { tried: 0, refused: 0 };
    for (const cookie of cookies) {
      for (let i = 0; i < 10; i += 1) {
        const { status } = await logIn(url, owner.email, `guess ${i}`, cookie);
        if (status === 404) guesses.tried += 1;
        else guesses.refused += 1;
      }
    }
    const own = await logIn(url, owner.email, 'password 1', deviceCookie(change), '192.0.2.1');
    return { devices: cookies.length, ...guesses, ownLoginStatus: own.status };
  },
});

/** Fills a mailbox with reset keys. */
export const resetMails = defineAttack({
  summary: 'requests reset keys for one mailbox with 12 device cookies, then from 30 networks',
  env: { PARLEY_TRUST_PROXY: 'true' },
  prepare: async (server) => ({ owner: await createAccount(server, 'Owner') }),
  async run({ url, prepared: { owner } }: AttackTarget<{ owner: Account }>) {
    const cookies = await collectDeviceCookies(url, owner.email, 12);
    const count = async (times: number, request: (i: number) => Promise<TestResponse>) => {
      let accepted = 0;
      for (let i = 0; i < times; i += 1) if ((await request(i)).status === 200) accepted += 1;
      return accepted;
    };
    const requestReset = (cookie: string, address: string) =>
      send(url, 'PATCH', '/api/users/forgot-pw', { email: owner.email }, cookie, address);
    return {
      mailsByDevices: await count(60, (i) =>
        requestReset(cookies[i % cookies.length] ?? '', ATTACKER_ADDRESS),
      ),
      mailsByNetworks: await count(60, (i) => requestReset('', `203.0.113.${i % 30}`)),
    };
  },
});

async function createAccount(server: TestServer, username: string): Promise<Account> {
  const { id, cookie } = await server.signIn(username);
  return { email: `${id}@example.org`, cookie };
}

/** Logs in repeatedly. Returns the device cookies of the accepted logins. */
async function collectDeviceCookies(url: string, email: string, logins: number): Promise<string[]> {
  const cookies: string[] = [];
  for (let i = 0; i < logins; i += 10) {
    const responses = await Promise.all(
      Array.from({ length: Math.min(10, logins - i) }, () => logIn(url, email, 'password')),
    );
    cookies.push(...responses.map(deviceCookie).filter((cookie) => cookie !== ''));
  }
  return cookies;
}

function deviceCookie({ headers }: TestResponse): string {
  const cookie = headers.getSetCookie().find((each) => each.startsWith('parley.device='));
  return cookie?.split(';', 1)[0] ?? '';
}

function logIn(
  url: string,
  email: string,
  password: string,
  cookie = '',
  address = ATTACKER_ADDRESS,
): Promise<TestResponse> {
  return send(url, 'POST', '/api/users/login', { email, password }, cookie, address);
}

function register(url: string, username: string, address: string): Promise<TestResponse> {
  const body = { email: `${username.toLowerCase()}@example.org`, username, password: 'password' };
  return send(url, 'POST', '/api/users/register', body, '', address);
}

/** Changes the password for the `i`-th time. At first it is `password`, then it is numbered. */
function changePassword(
  url: string,
  cookie: string,
  i: number,
  address: string,
): Promise<TestResponse> {
  const body = {
    oldPassword: i === 0 ? 'password' : `password ${i}`,
    newPassword: `password ${i + 1}`,
  };
  return send(url, 'PATCH', '/api/users/update', body, cookie, address);
}

function send(
  url: string,
  method: string,
  path: string,
  body: object,
  cookie: string,
  address: string,
): Promise<TestResponse> {
  return createTestClient(url, cookie).request(method, path, body, { 'x-forwarded-for': address });
}
