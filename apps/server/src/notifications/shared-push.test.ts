import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import {
  createTestClient,
  startServer,
  type TestServer,
  type TestUser,
} from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { startPushService, type PushService } from '../../test/push-service.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { spawnServer } from '../../test/spawn-server.ts';
import { acquireTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { until } from '../../test/until.ts';
import { createPool } from '../storage/postgres/postgres-connection.ts';
import { SETTLE_TIME } from './push-times.ts';

describe.skipIf(!IS_ON_POSTGRES)('several processes', () => {
  let database: TestDatabase;
  let service: PushService;
  let server: TestServer;
  let dataDir: string;
  let ada: TestUser;
  let bob: TestUser;
  let room: string;

  beforeEach(async () => {
    const acquired = await acquireTestDatabase();
    if (acquired === undefined) throw new Error('these tests need PostgreSQL');
    database = acquired;
    service = await startPushService();
    server = await startServer(variables());
    dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    [ada, bob] = [await server.signIn('ada'), await server.signIn('bob')];
    room = await beginChat(ada, bob);
    await bob.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`, {});
  });
  afterEach(async () => {
    await server.close();
    await service.close();
    await database.release();
    await rm(dataDir, { recursive: true });
  });

  const variables = () => ({
    PARLEY_DATABASE_URL: database.url,
    PARLEY_PUSH_ORIGINS: service.origin,
  });

  async function spawn(name: string) {
    const spawned = await spawnServer(join(dataDir, name), {
      databaseUrl: database.url,
      variables: { PARLEY_PUSH_ORIGINS: service.origin },
    });
    onTestFinished(() => spawned.kill());
    return spawned;
  }
  async function subscribe(user: TestUser) {
    const { body } = await user.request('GET', '/api/notifications');
    const subscription = service.subscribe(body.publicKey);
    await user.request('POST', '/api/notifications/subscription', subscription.body);
    return subscription;
  }
  const at = (url: string, user: TestUser): TestUser => ({
    ...user,
    ...createTestClient(url, user.cookie),
  });

  test('one of them sends what each stored, and knows what users have in view on any', async () => {
    const eve = await server.signIn('eve');
    const other = await beginChat(eve, bob);
    const phone = await subscribe(bob);
    const second = await spawn('second');
    const third = await spawn('third');
    // A device at the third process has another chatroom in view.
    const { socket } = await connectLive(third, bob);
    socket.emit('presence', { isActive: true });
    socket.emit('attend', { chatroom: other });
    await socket.emitWithAck('unknown');
    await send(at(second.url, ada), room, 'one');
    await send(at(third.url, eve), other, 'seen');
    // After ten seconds, as a device is in use.
    await expect
      .poll(() => phone.received.map(({ payload }) => payload.notification.tag), {
        timeout: SETTLE_TIME + 20_000,
      })
      .toEqual([room]);
    await send(at(third.url, ada), room, 'two');
    await expect.poll(() => phone.received.length, { timeout: 20_000 }).toBe(2);
    expect(phone.received.at(-1)?.payload.notification.tag).toBe(room);
    expect(service.violations).toEqual([]);
  });

  test('another one sends what the one that sends has left when it is killed', async () => {
    const second = await spawn('second');
    const phone = await subscribe(bob);
    const third = await spawn('third');
    // The second one becomes the leader, and is killed before its devices had time to report.
    await server.close();
    await send(at(second.url, ada), room, 'one');
    const pool = createPool(database.url, 1);
    onTestFinished(() => pool.end());
    await until(async () => (await pool.query('select from push_queue')).rows.length > 0);
    await second.kill();
    await expect.poll(() => phone.received.length, { timeout: 2 * SETTLE_TIME + 30_000 }).toBe(1);
    expect(service.violations).toEqual([]);
    server = await startServer(variables());
    await third.stop();
    expect(phone.received).toHaveLength(1);
  });
});
