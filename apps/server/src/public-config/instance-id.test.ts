import { expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { IS_ON_POSTGRES, startServerGroup } from '../../test/server-group.ts';
import { findInstanceId, loadInstanceId } from './instance-id.ts';

async function requestId(server: TestServer): Promise<string> {
  const { body } = await server.client().request('GET', '/api/config');
  return body.instance;
}

test('a database keeps its public id after a restart, and its copies have others', async () => {
  let server = await startServer();
  onTestFinished(() => server.close());
  const id = await requestId(server);
  server = await server.restart();
  expect(await requestId(server)).toBe(id);
  const { storage, maintenance } = server.ctx;
  expect(await findInstanceId(storage, await maintenance.id())).toBe(id);

  const copy = await loadInstanceId(storage, 'copy');
  expect(copy).toMatch(/^[\w-]{22}$/);
  expect(copy).not.toBe(id);
  expect(await findInstanceId(storage, undefined)).toBeUndefined();
});

test.skipIf(!IS_ON_POSTGRES)('servers on one database have the same public id', async () => {
  const group = await startServerGroup();
  onTestFinished(() => group.closeAll());
  const [id, other] = await Promise.all(group.servers.map(requestId));
  expect(other).toBe(id);
});
