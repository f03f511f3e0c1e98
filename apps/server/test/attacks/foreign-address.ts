import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineAttack, type AttackTarget } from './attack.ts';

const EMAIL = 'owner@example.org';
const OWN = '192.0.2.1';
/** The attacker registers from each of these networks as often as possible. */
const NETWORKS = ['198.51.100.1', '203.0.113.1'];
const ATTEMPTS = 10;

/** Registers the email address of a user who is about to register it, before and after the user. */
export const foreignAddress = defineAttack({
  summary:
    'registers the address of a user, with the same username, before and after the user does',
  env: { PARLEY_TRUST_PROXY: 'true' },
  prepare: async ({ dataDir }) => ({ dataDir }),
  async run({ url, prepared: { dataDir } }: AttackTarget<{ dataDir: string }>) {
    const post = (address: string, path: string, body: object, cookie = '') =>
      fetch(`${url}/api/users/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
        body: JSON.stringify({ email: EMAIL, ...body }),
      });
    const flood = async (address: string) => {
      let accepted = 0;
      for (let i = 0; i < ATTEMPTS; i += 1) {
        const body = { username: i % 2 === 0 ? 'Owner' : `Fake${i}`, password: 'of the attacker' };
        const { status } = await post(address, 'register', body);
        if (status === 201) accepted += 1;
      }
      return accepted;
    };
    const [first = '', second = ''] = NETWORKS;
    const before = await flood(first);
    const registered = await post(OWN, 'register', { username: 'Owner', password: 'of the owner' });
    const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const after = await flood(second);
    const mails = before + after + (registered.status === 201 ? 1 : 0);
    let ownerVerified = 0;
    for (const key of await readKeys(dataDir, mails)) {
      const { status } = await post(OWN, 'register/verify', { key }, cookie);
      if (status === 200) ownerVerified += 1;
    }
    const attacker = await post(first, 'login', { password: 'of the attacker' });
    const owner = await post(OWN, 'login', { password: 'of the owner' });
    return {
      attackerRegistrations: before + after,
      ownerRegisterStatus: registered.status,
      ownerVerified,
      attackerLoginStatus: attacker.status,
      ownerLoginStatus: owner.status,
    };
  },
});

/** Returns the keys of the mails in files, once all have been written. */
async function readKeys(dataDir: string, count: number): Promise<string[]> {
  const folder = join(dataDir, 'outbox');
  for (;;) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
    if (names.length < count) continue;
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return mails.flatMap((mail) => /^ {4}(\d{6})\r?$/m.exec(mail)?.[1] ?? []);
  }
}
