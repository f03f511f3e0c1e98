import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { startServer } from '../../test/harness.ts';
import { connectLive, connectRaw, refusal, upgrade } from '../../test/live.ts';
import { until } from '../../test/until.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-restart-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Returns the number of TCP connections of this process. */
function connectionCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

test('a client reconnects after a restart and receives events again', async () => {
  let server = await startServer({}, dataDir);
  const [ada, bob] = [await server.signIn('ada'), await server.signIn('bob')];
  const room = await beginChat(ada, bob);
  const live = await connectLive(server, bob);
  const reasons: string[] = [];
  live.socket.on('disconnect', (reason) => reasons.push(reason));

  await server.close();
  await until(() => live.socket.disconnected);
  expect(reasons).toEqual(['transport close']);
  server = await startServer({ PARLEY_PORT: new URL(server.url).port }, dataDir);
  await until(() => live.socket.connected);

  const sent = await send(ada, room, 'welcome back');
  await until(() => live.events.length > 0);
  expect(live.events).toEqual([['message', sent]]);
  live.socket.disconnect();
  await server.close();
});

test('a shutdown closes all connections and leaves none behind', async () => {
  const before = connectionCount();
  const server = await startServer({}, dataDir);
  const user = await server.signIn('ada');
  const raws = await Promise.all(Array.from({ length: 10 }, () => connectRaw(server, user)));
  await server.close();
  for (const raw of raws) {
    expect(await raw.closed).toEqual({ code: 1001, reason: 'server shutting down' });
  }
  await until(() => connectionCount() <= before);
});

test('a shutdown does not wait for a client that does not respond', async () => {
  const server = await startServer({}, dataDir);
  const raw = await connectRaw(server, await server.signIn('ada'));
  raw.socket.pause();
  await server.close();
  raw.socket.resume();
  await raw.closed;
});

test('a shutdown does not wait for a client whose upgrade was refused', async () => {
  const server = await startServer({}, dataDir);
  const user = await server.signIn('ada');
  const foreign = { headers: { origin: 'https://evil.example' } };
  expect(await refusal(upgrade(server, server.client()))).toMatchObject({ status: 401 });
  expect(await refusal(upgrade(server, user, '/socket.io/'))).toMatchObject({ status: 400 });
  expect(await refusal(upgrade(server, user, undefined, foreign))).toMatchObject({ status: 403 });
  await server.close();
});

test('connections that open during a shutdown do not delay it', async () => {
  const server = await startServer({}, dataDir);
  const user = await server.signIn('ada');
  await connectRaw(server, user);
  const late = Array.from({ length: 10 }, () => upgrade(server, user));
  const ends = late.map(
    (socket) =>
      new Promise((resolve) => {
        socket.on('close', resolve);
        socket.on('error', resolve);
      }),
  );
  await server.close();
  await Promise.all(ends);
});
