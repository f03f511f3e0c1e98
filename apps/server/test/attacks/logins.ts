import { defineAttack, type AttackTarget } from './attack.ts';

const LOGINS = 260;
/** Number of addresses: enough that no limit per address rejects the first round. */
const ADDRESSES = 3;
/** Number of accounts of the user, each of which may log in 60 times an hour. */
const ACCOUNTS = 40;

/** Floods the server with logins. Verifying a password occupies the processor for a while. */
export const parallelLogins = defineAttack({
  summary:
    '260 simultaneous logins from three addresses, repeatedly, while a user logs in from another one',
  env: { PARLEY_TRUST_PROXY: 'true' },
  async prepare(server) {
    const emails = [];
    for (let i = 0; i < ACCOUNTS; i += 1) {
      emails.push(`${(await server.signIn(`Owner${i}`)).id}@example.org`);
    }
    return { emails };
  },
  run: attackWithLogins,
});

async function attackWithLogins(target: AttackTarget<{ emails: readonly string[] }>) {
  const counts = { wrong: 0, limited: 0, unavailable: 0, aborted: 0 };
  const flood = async () => {
    for (let round = 0; !target.signal.aborted; round += 1) {
      const logins = Array.from({ length: LOGINS }, async (_, i) => {
        const address = `198.51.${round % 256}.${i % ADDRESSES}`;
        const status = await logIn(
          target,
          address,
          `nobody${i}@example.org`,
          'guessed',
          target.signal,
        );
        if (status === 404) counts.wrong += 1;
        else if (status === 429) counts.limited += 1;
        else if (status === 503) counts.unavailable += 1;
        else counts.aborted += 1;
      });
      await Promise.all(logins);
    }
  };
  const user = async () => {
    const times: number[] = [];
    let refused = 0;
    do {
      const email = target.prepared.emails[(times.length + refused) % ACCOUNTS] ?? '';
      const start = performance.now();
      const status = await logIn(target, '192.0.2.1', email, 'password');
      if (status === 200) times.push(performance.now() - start);
      else refused += 1;
    } while (!target.signal.aborted);
    times.sort((a, b) => a - b);
    return {
      userLogins: times.length,
      userRefused: refused,
      userMedianMs: Math.round(times[Math.floor(times.length / 2)] ?? 0),
      userSlowestMs: Math.round(times.at(-1) ?? 0),
    };
  };
  const [userCounts] = await Promise.all([user(), flood()]);
  return { ...counts, ...userCounts };
}

/** Returns the status, or 0 if the request failed or the attack ended. */
async function logIn(
  { url }: AttackTarget,
  address: string,
  email: string,
  password: string,
  signal?: AbortSignal,
): Promise<number> {
  try {
    const response = await fetch(`${url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
      ...(signal !== undefined && { signal }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
