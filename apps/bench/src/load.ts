import { randomUUID } from 'node:crypto';
import { endpoints } from '@parley/contract';
import { Pool } from 'undici';
import { openLive } from './raw-live-connection.ts';
import type { SeededPair } from './seed.ts';

/** The load to put on a server. Sent to the load process as one message. */
export interface LoadJob {
  /** URLs of the servers. If there are several, the users of a pair are on different ones. */
  readonly urls: readonly string[];
  readonly pairs: readonly SeededPair[];
  /** Number of requests in flight. */
  readonly inFlight: number;
  /** Number of messages to send. */
  readonly messages: number;
  /** The texts to send in turn; always the same one by default. */
  readonly texts?: readonly string[];
}

/** The measurements of a load. Times are in milliseconds, sorted ascending. */
export interface LoadResult {
  /** Messages per second. */
  readonly perSecond: number;
  /** From the request to its response, which includes the commit. */
  readonly responseTimes: readonly number[];
  /** From the request to the event on the partner's socket. */
  readonly deliveryTimes: readonly number[];
}

/**
 * Sends messages with a fixed number in flight. Resolves once both members' sockets have received
 * all of them.
 */
async function run(job: LoadJob): Promise<LoadResult> {
  const sentAt = new Map<string, number>();
  const responseTimes: number[] = [];
  const deliveryTimes: number[] = [];
  let arrivals = 0;
  const allReceived = Promise.withResolvers<void>();

  const urlAt = (index: number) => job.urls[index % job.urls.length] ?? '';

  const sockets = await Promise.all(
    job.pairs.flatMap(({ users: [sender, partner] }, index) =>
      [sender, partner].map((user) =>
        openLive(urlAt(user === partner ? index + 1 : index), user.cookie, (packet) => {
          const start = sentAt.get(clientIdOf(packet));
          if (start === undefined) return;
          if (user === partner) deliveryTimes.push(performance.now() - start);
          if (++arrivals === job.messages * 2) allReceived.resolve();
        }),
      ),
    ),
  );

  const { texts = ['Hello, how are you?'] } = job;
  const pools = job.urls.map((url) => new Pool(url, { connections: job.inFlight, pipelining: 1 }));
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: job.inFlight }, async () => {
      while (next < job.messages) {
        const index = next++;
        const pair = job.pairs[index % job.pairs.length];
        const pool = pools[(index % job.pairs.length) % pools.length];
        if (pair === undefined || pool === undefined) return;
        const clientId = randomUUID();
        const start = performance.now();
        sentAt.set(clientId, start);
        const response = await pool.request({
          method: endpoints.sendMessage.method,
          path: endpoints.sendMessage.path,
          headers: { 'content-type': 'application/json', cookie: pair.users[0].cookie },
          body: JSON.stringify({
            chatroom: pair.chatroomId,
            content: texts[index % texts.length],
            clientId,
          }),
        });
        await response.body.dump();
        if (response.statusCode !== 201)
          throw new Error(`sending a message failed with status ${response.statusCode}`);
        responseTimes.push(performance.now() - start);
      }
    }),
  );
  await allReceived.promise;
  const seconds = (performance.now() - started) / 1000;

  for (const socket of sockets) socket.terminate();
  for (const pool of pools) await pool.destroy();
  return {
    perSecond: job.messages / seconds,
    responseTimes: responseTimes.toSorted((a, b) => a - b),
    deliveryTimes: deliveryTimes.toSorted((a, b) => a - b),
  };
}

/** Returns the `clientId` of a received message; empty for other packets. */
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
