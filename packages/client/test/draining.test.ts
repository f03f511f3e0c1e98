import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import {
  runServer,
  serverFromSources,
  startPostgresCluster,
  type PostgresCluster,
  type RunningServer,
} from '@parley/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findLoadedChatroom, type Client } from '../src/index.ts';
import { signUp, type SignedInUser } from './signed-in-client.ts';

// The long timeout is for slow machines. The test does not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

/** Maximum number of messages that wait to be sent while messages are sent continuously. */
const UNSENT_MAX = 10;

let cluster: PostgresCluster;
let servers: RunningServer[];
let balancer: Balancer;
let ada: SignedInUser;
let bob: SignedInUser;
let chatroomId: string;
const clients: Client[] = [];

beforeAll(async () => {
  cluster = await startPostgresCluster();
  const env = { PARLEY_RATE_LIMITS: 'false', PARLEY_DATABASE_URL: cluster.urlOf('postgres') };
  const first = await runServer(env, serverFromSources);
  balancer = await startBalancer([first.url]);
  // The first server runs the background jobs, so that the mails are in its folder.
  const balanced = { ...first, url: balancer.url };
  ada = await signUp(balanced, 'Ada');
  bob = await signUp(balanced, 'Bob');
  const body = { partnerName: 'Bob', content: 'first' };
  ({ chatroomId } = await ada.api.call('createChatroom', { body }));
  const second = await runServer(env, serverFromSources);
  balancer.add(second.url);
  servers = [first, second];
});

afterAll(async () => {
  for (const client of clients) client.dispose();
  await balancer.close();
  for (const server of servers) await server.dispose();
  await cluster.stop();
});

test('clients move to another server when theirs stops, and lose nothing', async () => {
  const [a, b] = [await start(ada), await start(bob)];
  const moves = [watchMove(a), watchMove(b)];
  const sent = { Ada: [] as string[], Bob: [] as string[] };
  const send = (client: Client, name: keyof typeof sent) => {
    const text = `${name} ${sent[name].length}`;
    sent[name].push(text);
    client.send(chatroomId, text);
  };
  // A slow server must not leave more behind than it can receive before the end of the test.
  const hasFew = (client: Client) => client.outbox.getState().entries.length < UNSENT_MAX;
  const sending = setInterval(() => {
    if (hasFew(a)) send(a, 'Ada');
    if (hasFew(b)) send(b, 'Bob');
  }, 25);
  try {
    await until(() => expect(texts(b)).toContain('Ada 5'));
    await servers[0]?.stop();
    const ms = await Promise.all(moves);
    process.stdout.write(`clients moved in ${ms.map(Math.round).join(' and ')} ms\n`);
  } finally {
    clearInterval(sending);
  }
  send(a, 'Ada');
  send(b, 'Bob');

  await until(() => {
    for (const client of [a, b]) {
      expect(client.outbox.getState().entries).toEqual([]);
      for (const [name, all] of Object.entries(sent)) {
        expect(texts(client).filter((text) => text.startsWith(name))).toEqual(all);
      }
    }
  });
  expect(texts(a)).toEqual(texts(b));
  // Each client reconnected to the second server once, and stayed there.
  const [, second] = servers;
  expect(balancer.upgrades.filter((url) => url === second?.url)).toHaveLength(2);
  expect(balancer.upgrades.slice(-2)).toEqual([second?.url, second?.url]);
});

/** Starts a client with the chatroom open and waits until it is online. */
async function start(user: SignedInUser): Promise<Client> {
  const client = user.createClient();
  clients.push(client);
  await client.open(chatroomId);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  return client;
}

const texts = (client: Client): string[] =>
  findLoadedChatroom(client.rooms.getState(), chatroomId)?.messages.map(({ content }) => content) ??
  [];

/** Returns how long a client is not online, in milliseconds. */
function watchMove({ connection }: Client): Promise<number> {
  return new Promise((resolve) => {
    let lostAt: number | undefined;
    connection.subscribe(({ status }) => {
      if (status !== 'online') lostAt ??= performance.now();
      else if (lostAt !== undefined) resolve(performance.now() - lostAt);
    });
  });
}

/** A load balancer that uses the first server that accepts connections. */
interface Balancer {
  readonly url: string;
  /** The servers of the live connections, in their order. */
  readonly upgrades: string[];
  readonly add: (url: string) => void;
  readonly close: () => Promise<void>;
}

async function startBalancer(urls: string[]): Promise<Balancer> {
  const upgrades: string[] = [];
  const sockets = new Set<Socket>();

  async function connectToFirst(): Promise<{ url: string; upstream: Socket } | undefined> {
    for (const url of urls) {
      const upstream = connect(Number(new URL(url).port), '127.0.0.1');
      const isConnected = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (isConnected) return { url, upstream };
    }
    return undefined;
  }

  const server = createServer((client) => {
    client.pause();
    client.on('error', () => undefined);
    void connectToFirst().then((found) => {
      if (found === undefined) return client.destroy();
      const { url, upstream } = found;
      for (const socket of [client, upstream]) sockets.add(socket);
      upstream.on('error', () => undefined);
      upstream.on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      client.once('data', (request) => {
        if (/^upgrade: websocket/im.test(request.toString())) upgrades.push(url);
      });
      return client.pipe(upstream).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    upgrades,
    add: (url) => void urls.push(url),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
