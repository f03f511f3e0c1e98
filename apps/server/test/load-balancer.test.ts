import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@parley/contract';
import { findFreePort } from '@parley/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findCaddy, startCaddy } from './caddy.ts';
import { selfSigned } from './certificate.ts';
import { beginChat, send } from './chatting.ts';
import { userAt, startServer, type TestServer, type TestUser } from './harness.ts';
import { connectLive } from './live.ts';
import { findNginx, startNginx } from './nginx.ts';
import { IS_ON_POSTGRES } from './server-group.ts';
import { acquireTestDatabase } from './test-database.ts';
import { trust } from './trust.ts';
import { until } from './until.ts';

const executable = findNginx() ?? '';
const caddy = findCaddy() ?? '';

/** Two servers behind a load balancer, and its URL. */
interface BalancedServers {
  readonly url: string;
  readonly servers: [TestServer, TestServer];
}

/** Starts two servers on one database. `startBalancer` gets the ports. */
async function startBalanced(
  startBalancer: (ports: {
    tls: number;
    server: number;
    secondServer: number;
  }) => Promise<{ authority: string; close: () => Promise<void> }>,
): Promise<BalancedServers> {
  const database = (await acquireTestDatabase()) ?? expect.fail();
  const ports = {
    tls: await findFreePort(),
    server: await findFreePort(),
    secondServer: await findFreePort(),
  };
  const url = `https://localhost:${ports.tls}`;
  const start = (port: number) =>
    startServer({
      PARLEY_DATABASE_URL: database.url,
      PARLEY_PUBLIC_URL: url,
      PARLEY_TRUST_PROXY: 'true',
      PARLEY_PORT: String(port),
    });
  const servers: BalancedServers['servers'] = [
    await start(ports.server),
    await start(ports.secondServer),
  ];
  const balancer = await startBalancer(ports);
  trust(balancer.authority);
  onTestFinished(async () => {
    trust();
    await balancer.close();
    for (const server of servers) await server.close();
    await database.release();
  });
  return { url, servers };
}

/** Signs in a user whose requests go through the balancer. */
async function signIn({ url, servers }: BalancedServers, username: string): Promise<TestUser> {
  return userAt(url, await servers[0].signIn(username));
}

/** How long an event may take until its message is sent again. */
const ARRIVAL_MS = 100;

/** Chats through the balancer while one server after the other is replaced. */
async function expectUninterrupted(balanced: BalancedServers): Promise<void> {
  const { url, servers } = balanced;
  const [ada, bob] = [await signIn(balanced, 'ada'), await signIn(balanced, 'bob')];
  const room = await beginChat(ada, bob);
  const live = await connectLive({ url }, bob);
  // Sends again after a 502, as the client does: Caddy before 2.11.2 responds it once to requests
  // with a body when a server is down (https://github.com/caddyserver/caddy/issues/7546). Sends
  // another message if no event arrives, because this connection may have been closing, and it does
  // not resync.
  const expectDelivered = (content: string): Promise<true> =>
    until(async () => {
      const sent = await send(ada, room, content).catch(() => undefined);
      await sleep(ARRIVAL_MS);
      return live.events.some(([, payload]) => (payload as Message)._id === sent?._id) || undefined;
    });
  await expectDelivered('both');
  await servers[0].app.close();
  await expectDelivered('without the first server');
  servers[0] = await servers[0].restart();
  await untilUsed(balanced, servers[0]);
  await expectDelivered('with both again');
  await servers[1].app.close();
  await expectDelivered('without the second server');
}

/** Waits until the balancer sends requests to a server that was down. */
async function untilUsed({ url }: BalancedServers, { log }: TestServer): Promise<void> {
  const start = log.length;
  await until(async () => {
    await fetch(`${url}/api/config`);
    return log.slice(start).some((line) => line.includes('"msg":"request"'));
  });
}

describe.skipIf(!IS_ON_POSTGRES)('two servers behind a load balancer', () => {
  test.skipIf(executable === '')('users chat on when servers are restarted behind nginx', () =>
    startBalanced(async (ports) => {
      const certificate = selfSigned();
      const nginx = await startNginx(executable, ports, certificate);
      return { authority: certificate.cert, close: () => nginx.close() };
    }).then(expectUninterrupted),
  );

  test.skipIf(caddy === '')('users chat on when servers are restarted behind Caddy', () =>
    startBalanced((ports) => startCaddy(caddy, ports)).then(expectUninterrupted),
  );
});
