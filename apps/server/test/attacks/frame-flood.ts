import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { defineAttack, type AttackTarget } from './attack.ts';
import { openAttackingSocket } from './attacking-socket.ts';

const ACCOUNTS = 8;
/** Number of connections of each account, the maximum. */
const CONNECTIONS = 20;
const SEND_INTERVAL = 5;
const FRAMES_PER_BURST = 500;

interface Prepared {
  readonly cookies: readonly string[];
}

/**
 * Sends unsolicited pong frames, which the websocket library handles below the protocol of the live
 * connection.
 */
export const frameFlood = defineAttack<Prepared>({
  summary: '160 live connections of 8 accounts send unsolicited pong frames continuously',
  // Of 1,700 refused connections a second garbage remains: as much after 40 seconds as after 10.
  growthMax: 250,
  async prepare(server) {
    const users = [];
    for (let i = 0; i < ACCOUNTS; i += 1) users.push(await server.signIn(`Flooder${i}`));
    return { cookies: users.map(({ cookie }) => cookie) };
  },
  run: async (target) => {
    const counts = { opened: 0, refused: 0, closedByServer: 0, framesSent: 0 };
    const floods = target.prepared.cookies.flatMap((cookie) =>
      Array.from({ length: CONNECTIONS }, async () => {
        while (!target.signal.aborted) await flood(target, cookie, counts);
      }),
    );
    await Promise.all(floods);
    return counts;
  },
});

async function flood(
  target: AttackTarget<Prepared>,
  cookie: string,
  counts: { opened: number; refused: number; closedByServer: number; framesSent: number },
): Promise<void> {
  const { signal } = target;
  const socket = await openAttackingSocket(target, cookie);
  if (socket === undefined) {
    counts.refused += 1;
    return;
  }
  counts.opened += 1;
  while (!signal.aborted && socket.readyState === WebSocket.OPEN) {
    for (let i = 0; i < FRAMES_PER_BURST; i += 1) {
      socket.pong();
    }
    counts.framesSent += FRAMES_PER_BURST;
    await sleep(SEND_INTERVAL);
  }
  if (!signal.aborted) counts.closedByServer += 1;
  socket.terminate();
}
