import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { beginChat, send } from '../../../test/chatting.ts';
import { startServer } from '../../../test/harness.ts';
import { indexAll } from '../../../test/indexing.ts';
import { contents } from '../../../test/search-requests.ts';
import { databaseFile } from './open-sqlite.ts';
import { SqliteConnection } from './sqlite-connection.ts';

test('a search finds the rows it asks for by an index, however many others there are', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const ada = await server.signIn('Ada');
  const bob = await server.signIn('Bob');
  const chatroomId = await beginChat(ada, bob, 'Hello');
  await send(ada, chatroomId, 'A ship, see https://example.org');
  await indexAll(server);
  await send(bob, chatroomId, 'Another ship');
  const executed = vi.spyOn(SqliteConnection.prototype, 'executeQuery');
  expect(await contents(bob, { query: 'ship' })).toHaveLength(2);
  expect(await contents(bob, { query: 'sh', chatroomId })).toHaveLength(2);
  expect(await contents(bob, { kind: 'link' })).toHaveLength(1);

  const queries = new Set(executed.mock.calls.map(([{ sql }]) => sql));
  // Those of `rowsOf`.
  const lookups = [...queries].filter((query) => query.includes('value ->> 2'));
  expect(lookups.length).toBeGreaterThan(2);
  const sqlite = new SQLite(databaseFile(server.dataDir), { readonly: true });
  onTestFinished(() => void sqlite.close());
  for (const query of lookups) {
    const values = Array.from(query.matchAll(/\?/g), () => '[]');
    const plan = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${query}`);
    const [outer, ...inner] = plan.all(...values).map(({ detail }) => detail);
    expect(outer, query).toMatch(/^SCAN json_each /);
    expect(inner.join('\n'), query).not.toContain('SCAN');
  }
});
