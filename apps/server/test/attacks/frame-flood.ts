import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { defineAttack, type AttackTarget } from './attack.ts';

/** Number of connections, the maximum per account. */
const CONNECTIONS = 20;
const SEND_INTERVAL = 5;
const FRAMES_PER_BURST = 500;

/**
 * Sends unsolicited pong frames, which the websocket library handles below the protocol of the live
 * connection.
 */
export const frameFlood = defineAttack<{ cookie: string }>({
  summary: '20 live connections of one account send unsolicited pong frames continuously',
  // Of 1,700 refused connections a second garbage remains: as much after 40 seconds as after 10.
  growthMax: 250,
  prepare: async (server) => ({ cookie: (await server.signIn('Flooder')).cookie }),
  run: async (target) => {
    const counts = { opened: 0, refused: 0, closedByServer: 0, framesSent: 0 };
    const floods = Array.from({ length: CONNECTIONS }, async () => {
      while (!target.signal.aborted) await flood(target, counts);
    });
    await Promise.all(floods);
    return counts;
  },
});

async function flood(
  { url, prepared, signal }: AttackTarget<{ cookie: string }>,
  counts: { opened: number; refused: number; closedByServer: number; framesSent: number },
): Promise<void> {
  const headers = { cookie: prepared.cookie };
  const socket = new WebSocket(`${url}/socket.io/?EIO=4&transport=websocket`, { headers });
  socket.on('error', () => undefined);
  const opened = await once(socket, 'open', { signal }).catch(() => undefined);
  if (opened === undefined) {
    counts.refused += 1;
    return;
  }
  counts.opened += 1;
  socket.send('40');
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
