import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { endSession, openSession } from './session.service.ts';
import { createDatabaseSessionStore, SESSION_IDLE_TIMEOUT } from './session.store.ts';
import type { Context } from '../context.ts';
import { createEventBus } from '../domain-events.ts';

let server: TestServer;
let anna: TestUser;
beforeEach(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const open = (token: string) =>
  server.ctx.storage.write((write) => openSession(write, { userId: anna.id, token, device: '' }));

test('a frequently used session ends correctly even after others were evicted from the cache', async () => {
  const store = createDatabaseSessionStore(server.ctx, 4);
  const get = promisify<string, unknown>(store.get.bind(store));
  const stolen = await open('stolen');
  for (let i = 0; i < 20; i++) {
    await open(`other ${i}`);
    expect(await get(`other ${i}`)).not.toBeNull();
    expect(await get('stolen')).toMatchObject({ publicId: stolen });
  }
  await endSession(server.ctx, { userId: anna.id, sessionId: anna.sessionId }, stolen);
  expect(await get('stolen')).not.toHaveProperty('userId');
  expect(await get('other 19')).not.toBeNull();
});

test('a cached session counts no more while events of other processes are not received', async () => {
  const { storage, log } = server.ctx;
  let isReceivingEvents = true;
  const cluster: Context['cluster'] = Object.create(server.ctx.cluster, {
    isReceivingEvents: { get: () => isReceivingEvents },
  });
  const store = createDatabaseSessionStore({ storage, cluster, log, events: createEventBus(log) });
  const get = promisify<string, unknown>(store.get.bind(store));
  const stolen = await open('stolen');
  expect(await get('stolen')).toMatchObject({ publicId: stolen });
  await endSession(server.ctx, { userId: anna.id, sessionId: anna.sessionId }, stolen);
  isReceivingEvents = false;
  expect(await get('stolen')).not.toHaveProperty('userId');
});

test('a session that another process has extended does not expire', async () => {
  const { storage } = server.ctx;
  const store = createDatabaseSessionStore(server.ctx);
  const get = promisify<string, unknown>(store.get.bind(store));
  const id = await open('extended');
  await get('extended');
  const later = Date.now() + 1.5 * SESSION_IDLE_TIMEOUT;
  await storage.write(({ trx }) =>
    trx
      .updateTable('sessions')
      .set({ last_seen_at: later, expires_at: later + SESSION_IDLE_TIMEOUT })
      .where('id', '=', id)
      .execute(),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: later });
  expect(await get('extended')).toMatchObject({ publicId: id });
});
