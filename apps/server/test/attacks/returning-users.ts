import { once } from 'node:events';
import type { TestServer, TestUser } from '../harness.ts';
import { defineAttack, type AttackTarget } from './attack.ts';
import { addChatroom } from './bulk-data.ts';
import { openAttackingSocket } from './attacking-socket.ts';

const ACCOUNTS = 8;
/** Partners of each account. */
const PARTNERS = 1_000;

interface Prepared {
  readonly cookies: readonly string[];
}

/** Lets accounts with very many partners ask at the same moment who of them is online, again and again. */
export const returningUsers = defineAttack<Prepared>({
  summary: '8 accounts with 1,000 partners each reconnect continuously and follow their presence',
  async prepare(server) {
    const partners = await signInAll(server, 'Partner', PARTNERS);
    const accounts = await signInAll(server, 'Returning', ACCOUNTS);
    for (const account of accounts) {
      for (const partner of partners) await addChatroom(server.ctx.storage, account.id, partner.id);
    }
    return { cookies: accounts.map(({ cookie }) => cookie) };
  },
  async run(target) {
    const counts = { opened: 0, refused: 0 };
    const returning = target.prepared.cookies.map(async (cookie) => {
      while (!target.signal.aborted) await followPresence(target, cookie, counts);
    });
    await Promise.all(returning);
    return counts;
  },
});

async function signInAll(server: TestServer, name: string, count: number): Promise<TestUser[]> {
  const users: TestUser[] = [];
  for (let i = 0; i < count; i++) users.push(await server.signIn(`${name}${i}`));
  return users;
}

/** Opens a live connection, and closes it once the presence of the partners has arrived. */
async function followPresence(
  target: AttackTarget<Prepared>,
  cookie: string,
  counts: { opened: number; refused: number },
): Promise<void> {
  const socket = await openAttackingSocket(target, cookie);
  if (socket === undefined) {
    counts.refused += 1;
    return;
  }
  counts.opened += 1;
  const closed = once(socket, 'close', { signal: target.signal }).catch(() => undefined);
  const told = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const packet = data.toString();
      if (packet.startsWith('40')) socket.send('42["presence",{"isActive":true}]');
      else if (packet.startsWith('42["presence"')) resolve();
    });
  });
  await Promise.race([told, closed]);
  socket.terminate();
}
