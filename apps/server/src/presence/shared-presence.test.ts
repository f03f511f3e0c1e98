import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartnerPresence } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createRoom } from '../../test/chatting.ts';
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

/** Returns the events of presence, without their chatrooms. */
function toldAbout({ events }: LiveClient): (PartnerPresence | null)[][] {
  return events.flatMap(([name, event]) =>
    name === 'presence' ? [Object.values((event as PresenceEvent).rooms)] : [],
  );
}

/** Returns whether each told partner was online, in order. */
const states = (live: LiveClient) => toldAbout(live).flatMap((all) => all.map((p) => p?.isOnline));

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
    await createRoom(ada, bob);
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
    await createRoom(ada, bob);
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
    await createRoom(ada, bob);
    const second = await spawn('second');
    const bobLive = await connectDevice(second, bob);
    const adaLive = await connectDevice(server, ada);
    await until(() => states(adaLive).at(-1) === true);
    bobLive.socket.disconnect();
    await second.stop();
    await connectDevice(server, bob);
    await sleep(PRESENCE_TIMES.grace + 2_000);
    expect(states(adaLive).filter((isOnline) => isOnline === false)).toEqual([]);
  });
});
