import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/harness.ts';
import { until } from '../../test/until.ts';

/** The migration under test and those after it. */
const MIGRATIONS = ['008-no-outside-events', '009-ended-sessions'];

test('an account that an older command deleted before the upgrade is erased after it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const before = await startServer({}, dataDir);
  const ada = await before.signIn('Ada');
  await before.close();

  const sqlite = new SQLite(join(dataDir, 'parley.db'));
  onTestFinished(() => void sqlite.close());
  const forget = sqlite.prepare('delete from kysely_migration where name = ?');
  for (const name of MIGRATIONS) forget.run(name);
  sqlite.exec('drop table ended_sessions');
  sqlite.exec('create table outside_events (id integer primary key, event text not null) strict');
  sqlite.prepare('delete from sessions where user_id = ?').run(ada.id);
  sqlite
    .prepare(
      `update users set username = '', username_key = :none, email = :none, password_hash = '', verified_at = null,
        ended_at = 1 where id = :id`,
    )
    .run({ none: `ended:${ada.id}`, id: ada.id });
  sqlite.prepare(`insert into erasures (kind, subject) values ('account', ?)`).run(ada.id);
  const leave = sqlite.prepare('insert into outside_events (event) values (?)');
  for (const event of [
    { type: 'sessions-ended', sessionIds: [ada.sessionId], reason: 'account-deleted' },
    { type: 'erasure-queued' },
  ]) {
    leave.run(JSON.stringify(event));
  }

  const after = await startServer({}, dataDir);
  onTestFinished(() => after.close());
  const find = (query: string) => sqlite.prepare(query).all();
  await until(() => find('select id from erasures').length === 0);
  expect(find('select id from users')).toEqual([]);
  expect(find(`select name from sqlite_master where name = 'outside_events'`)).toEqual([]);
});
