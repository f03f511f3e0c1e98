import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { migrations } from '../storage/migrations/index.ts';
import { databaseFile } from '../storage/open.ts';
import { migrate } from '../storage/sqlite/migrate.ts';
import { openWritable } from '../storage/sqlite/sqlite-connection.ts';

test('an account that an older command deleted before the upgrade is erased after it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const sqlite = openWritable(databaseFile(dataDir));
  onTestFinished(() => void sqlite.close());
  // The last schema in which commands left events for the server.
  await migrate(
    sqlite,
    Object.fromEntries(
      Object.entries(migrations).filter(([name]) => name < '008-no-outside-events'),
    ),
  );
  const id = randomUUID();
  sqlite
    .prepare(
      `insert into users (id, username, username_key, email, password_hash, language, volume, created_at, ended_at)
       values (:id, '', :none, :none, '', 'en', 'full', 1, 1)`,
    )
    .run({ none: `ended:${id}`, id });
  sqlite.prepare(`insert into erasures (kind, subject) values ('account', ?)`).run(id);
  const leave = sqlite.prepare('insert into outside_events (event) values (?)');
  for (const event of [
    { type: 'sessions-ended', sessionIds: [randomUUID()], reason: 'account-deleted' },
    { type: 'erasure-queued' },
  ]) {
    leave.run(JSON.stringify(event));
  }

  const server = await startServer({}, dataDir);
  onTestFinished(() => server.close());
  const find = (query: string) => sqlite.prepare(query).all();
  await until(() => find('select id from erasures').length === 0);
  expect(find('select id from users')).toEqual([]);
  expect(find(`select name from sqlite_master where name = 'outside_events'`)).toEqual([]);
});
