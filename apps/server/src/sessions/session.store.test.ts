import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { endSession, openSession } from './session.service.ts';
import { createDatabaseSessionStore } from './session.store.ts';

let server: TestServer;
let anna: TestUser;
beforeEach(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
});
afterEach(() => server.close());

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
