import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartnerPresence } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { beginChat } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive, type LiveClient } from '../../test/live.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { spawnServer } from '../../test/spawn-server.ts';
import { acquireTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { until } from '../../test/until.ts';
import { PRESENCE_TIMES } from './presence-limits.ts';
import type { PresenceEvent } from './presence.service.ts';

/** Connects a device that is in use. */
async function connectDevice(server: Pick<TestServer, 'url'>, user: TestUser): Promise<LiveClient> {
  const live = await connectLive(server, user);
  live.socket.emit('presence', { isActive: true });
  await until(() => toldAbout(live).length > 0);
  return live;
}

/** Returns the events of presence: what was told about the partners by chatroom. */
function toldChatrooms({ events }: LiveClient): PresenceEvent['rooms'][] {
  return events.flatMap(([name, event]) =>
    name === 'presence' ? [(event as PresenceEvent).rooms] : [],
  );
}

/** Returns the events of presence, without their chatrooms. */
function toldAbout(live: LiveClient): (PartnerPresence | null)[][] {
  return toldChatrooms(live).map((rooms) => Object.values(rooms));
}

/** Returns whether each told partner was online, in order. */
const states = (live: LiveClient) => toldAbout(live).flatMap((all) => all.map((p) => p?.isOnline));

/** Returns whether the partner in a chatroom was told to be online, in order. */
const statesIn = (live: LiveClient, chatroomId: string) =>
  toldChatrooms(live).flatMap(({ [chatroomId]: told }) => (told ? [told.isOnline] : []));

describe.skipIf(!IS_ON_POSTGRES)('several processes', () => {
  let database: TestDatabase;
  let server: TestServer;
  let dataDir: string;

  beforeEach(async () => {
    const acquired = await acquireTestDatabase();
    if (acquired === undefined) throw new Error('these tests need PostgreSQL');
    database = acquired;
    server = await startServer({ PARLEY_DATABASE_URL: database.url });
    dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  });
  afterEach(async () => {
    await server.close();
    await database.release();
    await rm(dataDir, { recursive: true });
  });

  async function spawn(name: string) {
    const spawned = await spawnServer(join(dataDir, name), { databaseUrl: database.url });
    onTestFinished(() => spawned.kill());
    return spawned;
  }

  test('users see partners who are connected to another process', async () => {
    const [ada, bob] = [await server.signIn('ada'), await server.signIn('bob')];
    await beginChat(ada, bob);
    const bobLive = await connectDevice(server, bob);
    // It starts later, and asks who is online.
    const adaLive = await connectDevice(await spawn('second'), ada);
    await until(() => states(adaLive).at(-1) === true);
    await until(() => states(bobLive).at(-1) === true);
    bobLive.socket.disconnect();
    await until(() => states(adaLive).at(-1) === false);
    expect(toldAbout(adaLive).at(-1)?.[0]?.lastSeenAt).toMatch(/:00\.000Z$/);
  });

  test('the users of a process that is killed go offline after the grace', async () => {
    const [ada, bob] = [await server.signIn('ada'), await server.signIn('bob')];
    await beginChat(ada, bob);
    const second = await spawn('second');
    const bobLive = await connectDevice(second, bob);
    let adaLive = await connectDevice(server, ada);
    await until(() => states(adaLive).at(-1) === true);
    bobLive.socket.disconnect();
    const killedAt = performance.now();
    await second.kill();
    // Once the crash is noticed, clients are asked to reconnect.
    await until(() => !adaLive.socket.connected);
    adaLive = await connectDevice(server, ada);
    expect(states(adaLive)[0]).toBe(true);
    await until(() => states(adaLive).at(-1) === false);
    expect(performance.now() - killedAt).toBeGreaterThan(PRESENCE_TIMES.grace);
    expect(states(adaLive).slice(0, -1)).not.toContain(false);
  });

  test('a user whose process stops and who connects to another one is not told to be offline', async () => {
    const [ada, bob] = [await server.signIn('ada'), await server.signIn('bob')];
    const carol = await server.signIn('carol');
    const chatroomWithBob = await beginChat(ada, bob);
    const chatroomWithCarol = await beginChat(ada, carol);
    const second = await spawn('second');
    const bobLive = await connectDevice(second, bob);
    await connectDevice(second, carol);
    const adaLive = await connectDevice(server, ada);
    await until(() => statesIn(adaLive, chatroomWithBob).at(-1) === true);
    await until(() => statesIn(adaLive, chatroomWithCarol).at(-1) === true);
    // Before, the server may not have known yet who is connected to the other one.
    const known = statesIn(adaLive, chatroomWithBob).length;
    const stopped = second.stop();
    await until(() => !bobLive.socket.connected);
    await connectDevice(server, bob);
    await stopped;
    // Carol does not return, and is told to be offline when Bob would have been.
    await until(() => statesIn(adaLive, chatroomWithCarol).at(-1) === false);
    expect(statesIn(adaLive, chatroomWithBob).slice(known)).not.toContain(false);
  });
});
