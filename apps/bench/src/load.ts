import { randomUUID } from 'node:crypto';
import { endpoints } from '@parley/contract';
import { Pool } from 'undici';
import { openLive } from './live-connection.ts';
import type { SeededPair } from './seed.ts';

/** What to drive a server with. Sent to the load process as one JSON message. */
export interface LoadJob {
  readonly url: string;
  readonly pairs: readonly SeededPair[];
  readonly inFlight: number;
  readonly messages: number;
}

/** Times in milliseconds, sorted ascending. */
export interface LoadResult {
  readonly perSecond: number;
  /** From the request to its answer, so with the commit. */
  readonly answered: readonly number[];
  /** From the request to the event on the partner's socket. */
  readonly delivered: readonly number[];
}

/** Sends messages with a fixed number in flight and waits until both members' sockets have each. */
async function run(job: LoadJob): Promise<LoadResult> {
  const sentAt = new Map<string, number>();
  const answered: number[] = [];
  const delivered: number[] = [];
  let arrivals = 0;
  const finished = Promise.withResolvers<void>();

  const sockets = await Promise.all(
    job.pairs.flatMap(({ users: [sender, partner] }) =>
      [sender, partner].map((user) =>
        openLive(job.url, user.cookie, (packet) => {
          const start = sentAt.get(clientIdOf(packet));
          if (start === undefined) return;
          if (user === partner) delivered.push(performance.now() - start);
          if (++arrivals === job.messages * 2) finished.resolve();
        }),
      ),
    ),
  );

  const pool = new Pool(job.url, { connections: job.inFlight, pipelining: 1 });
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: job.inFlight }, async () => {
      while (next < job.messages) {
        const pair = job.pairs[next++ % job.pairs.length];
        if (pair === undefined) return;
        const clientId = randomUUID();
        const start = performance.now();
        sentAt.set(clientId, start);
        const answer = await pool.request({
          method: endpoints.sendMessage.method,
          path: endpoints.sendMessage.path,
          headers: { 'content-type': 'application/json', cookie: pair.users[0].cookie },
          body: JSON.stringify({ chatroom: pair.room, content: 'Hello, how are you?', clientId }),
        });
        await answer.body.dump();
        if (answer.statusCode !== 201) throw new Error(`send answered ${answer.statusCode}`);
        answered.push(performance.now() - start);
      }
    }),
  );
  await finished.promise;
  const seconds = (performance.now() - started) / 1000;

  for (const socket of sockets) socket.terminate();
  await pool.destroy();
  return {
    perSecond: job.messages / seconds,
    answered: answered.toSorted((a, b) => a - b),
    delivered: delivered.toSorted((a, b) => a - b),
  };
}

/** The `clientId` of a message that arrived; empty for any other packet. */
function clientIdOf(packet: string): string {
  if (!packet.startsWith('42["message",')) return '';
  return /"clientId":"([^"]+)"/.exec(packet)?.[1] ?? '';
}

process.once('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.(result, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
