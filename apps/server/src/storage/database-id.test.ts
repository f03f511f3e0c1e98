import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

test('a database keeps its id after a restart, and another one has another id', async () => {
  const other = await startServer();
  const otherId = await other.ctx.maintenance.id();
  await other.close();
  const id = await server.ctx.maintenance.id();
  server = await server.restart();
  expect([await server.ctx.maintenance.id(), otherId]).toEqual([id, expect.not.stringMatching(id)]);
  expect(id).toMatch(/^[-/0-9a-f]{10,}$/);
});
