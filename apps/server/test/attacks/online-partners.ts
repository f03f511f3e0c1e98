import { once } from 'node:events';
import { Agent, request, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { beginChat } from '../chatting.ts';
import { defineAttack, type AttackTarget } from './attack.ts';
import { openAttackingSocket } from './attacking-socket.ts';

const DEVICES = 10;

interface Prepared {
  readonly cookie: string;
  readonly onlineCookie: string;
  /** The chatrooms with a partner who is online, and with one who is not. */
  readonly online: string;
  readonly offline: string;
}

/** Compares how long messages to a partner with many devices take and to one who is offline. */
export const onlinePartners = defineAttack({
  summary: 'one account measures by the times of its requests which partner is online',
  // It sends as fast as the server responds.
  env: { PARLEY_RATE_LIMITS: 'false', PARLEY_QUOTA_MESSAGES_PER_DAY: '0' },
  async prepare(server): Promise<Prepared> {
    const [attacker, online, offline] = [
      await server.signIn('Attacker'),
      await server.signIn('Online'),
      await server.signIn('Offline'),
    ];
    return {
      cookie: attacker.cookie,
      onlineCookie: online.cookie,
      online: await beginChat(attacker, online),
      offline: await beginChat(attacker, offline),
    };
  },
  async run(target: AttackTarget<Prepared>) {
    const { host, port, prepared, signal } = target;
    const sockets = await Promise.all(Array.from({ length: DEVICES }, () => connect(target)));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { cookie } = prepared;
    const time = (method: string, path: string, body?: object) =>
      measure({ host, port, agent, method, path, headers: { cookie } }, body);
    const sends = { online: [] as number[], offline: [] as number[] };
    const next = { online: [] as number[], offline: [] as number[] };
    while (!signal.aborted) {
      for (const partner of ['online', 'offline'] as const) {
        const body = { chatroom: prepared[partner], content: 'Are you there?' };
        sends[partner].push(await time('POST', '/api/messages/send', body));
        // What the server does after its response delays the next one.
        next[partner].push(await time('GET', '/healthz'));
        await sleep(1);
      }
    }
    for (const socket of sockets) socket.terminate();
    agent.destroy();
    const difference = (times: typeof sends) =>
      Math.round((median(times.online) - median(times.offline)) * 1000);
    return {
      samples: sends.online.length,
      sendMicroseconds: Math.round(median(sends.offline) * 1000),
      sendDifference: difference(sends),
      nextDifference: difference(next),
    };
  },
});

/** Connects a device that does not read what arrives, so that only the server works for it. */
async function connect(target: AttackTarget<Prepared>): Promise<WebSocket> {
  const socket = await openAttackingSocket(target, target.prepared.onlineCookie);
  if (socket === undefined) throw new Error('the device was refused');
  await once(socket, 'message');
  socket.pause();
  return socket;
}

/** Returns the milliseconds until the first byte of a response. */
async function measure(
  { headers, ...options }: Omit<RequestOptions, 'headers'> & { headers: Record<string, string> },
  body?: object,
): Promise<number> {
  const json = body === undefined ? '' : JSON.stringify(body);
  const sent = request({
    ...options,
    headers: {
      ...headers,
      ...(body && { 'content-type': 'application/json', 'content-length': json.length }),
    },
  });
  const start = performance.now();
  sent.end(json);
  const [response] = await once(sent, 'response');
  const duration = performance.now() - start;
  response.resume();
  await once(response, 'end');
  return duration;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
