import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NEWEST_SCHEMA } from '../../../test/create-data-folder.ts';
import { startServer } from '../../../test/harness.ts';
import { initial } from '../migrations/001-initial.ts';
import { migrations } from '../migrations/index.ts';
import type { Migrations } from '../schema.ts';
import { openWritable } from './sqlite-connection.ts';
import { migrate } from './migrate.ts';
import { deleteOldSnapshots } from './snapshot.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-migrate-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const FIRST: Migrations = { '001-initial': initial };

/** Creates a data folder of the first version with one user and one upload. */
async function createFirstVersion(): Promise<void> {
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  await migrate(sqlite, FIRST);
  sqlite.exec(`insert into users values
    ('u1', 'Ada', 'ada', 'ada@example.org', '', 'en', 'middle', 1, 1)`);
  sqlite.exec(`insert into media values
    ('m1', 'u1', 'image', 'image/png', 70, 'f1.png', 1, 1, 1)`);
  sqlite.close();
}

async function upgrade(steps: Migrations, beforeUpgrade?: () => void) {
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  try {
    return await migrate(sqlite, steps, beforeUpgrade);
  } finally {
    sqlite.close();
  }
}

test('snapshots and upgrades a data folder of the first version and keeps its data', async () => {
  await createFirstVersion();
  const server = await startServer({}, dataDir);
  const usage = await server.ctx.storage.read((db) =>
    db.selectFrom('media_usage').select(['files', 'bytes']).execute(),
  );
  expect(usage).toEqual([{ files: 1, bytes: 70 }]);
  const users = await server.ctx.storage.read((db) =>
    db.selectFrom('users').select('username').execute(),
  );
  expect(users).toEqual([{ username: 'Ada' }]);
  await server.close();

  const snapshots = readdirSync(join(dataDir, 'snapshots'));
  expect(snapshots).toEqual([
    expect.stringMatching(new RegExp(`^001-initial-to-${NEWEST_SCHEMA}-\\d{8}T\\d{9}Z\\.db$`)),
  ]);
  const snapshot = new SQLite(join(dataDir, 'snapshots', snapshots[0] ?? ''));
  expect(snapshot.prepare('select username from users').all()).toEqual([{ username: 'Ada' }]);
  expect(snapshot.prepare('select name from kysely_migration').all()).toEqual([
    { name: '001-initial' },
  ]);
  snapshot.close();

  const again = await startServer({}, dataDir);
  await again.close();
  expect(readdirSync(join(dataDir, 'snapshots'))).toHaveLength(1);

  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  utimesSync(join(dataDir, 'snapshots', snapshots[0] ?? ''), old, old);
  deleteOldSnapshots(dataDir, Date.now());
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual([]);
});

describe('an upgrade that fails at each start', () => {
  const folder = () => join(dataDir, 'snapshots');
  const changeDatabase = (statement: string) => {
    const sqlite = openWritable(join(dataDir, 'parley.db'));
    sqlite.exec(statement);
    sqlite.close();
  };
  const start = () => startServer({}, dataDir);
  const listSnapshots = () =>
    readdirSync(folder()).map((name) => `${name} ${statSync(join(folder(), name)).ino}`);

  beforeEach(async () => {
    await createFirstVersion();
    // A later migration creates this table.
    changeDatabase('create table reports (id text)');
  });

  test('reuses its snapshot', async () => {
    await expect(start()).rejects.toThrow('could not be upgraded');
    const first = listSnapshots();
    expect(first).toHaveLength(1);
    for (let i = 0; i < 3; i += 1) await expect(start()).rejects.toThrow('could not be upgraded');
    expect(listSnapshots()).toEqual(first);
  });

  test('replaces its snapshot once the previous version has written more, and keeps those of other upgrades', async () => {
    await expect(start()).rejects.toThrow('could not be upgraded');
    const [first] = readdirSync(folder());
    const other = '001-initial-20250101T000000Z.db';
    writeFileSync(join(folder(), other), '');
    changeDatabase(`update users set username = 'Ada II'`);
    utimesSync(join(dataDir, 'parley.db'), new Date(), new Date(Date.now() + 5_000));
    await expect(start()).rejects.toThrow('could not be upgraded');
    const [kept, second = '', ...others] = readdirSync(folder()).toSorted();
    expect([kept, others]).toEqual([other, []]);
    expect(second).not.toBe(first);
    const snapshot = new SQLite(join(folder(), second));
    expect(snapshot.prepare('select username from users').all()).toEqual([{ username: 'Ada II' }]);
    snapshot.close();
  });

  test('removes what a killed start has left', async () => {
    mkdirSync(folder());
    writeFileSync(join(folder(), '001-initial-to-002-operation-20250101T000000000Z.db.part'), 'x');
    await expect(start()).rejects.toThrow('could not be upgraded');
    expect(readdirSync(folder())).toEqual([expect.stringMatching(/\.db$/)]);
  });
});

test('takes no snapshot of a new data folder', async () => {
  const server = await startServer({}, dataDir);
  await server.close();
  expect(readdirSync(dataDir)).not.toContain('snapshots');
});

test('rolls back all migrations if one fails, so that the previous version still works', async () => {
  await createFirstVersion();
  const broken: Migrations = {
    ...migrations,
    '998-fine': {
      async up(db) {
        await sql`create table fine (id integer)`.execute(db);
      },
    },
    '999-broken': {
      async up(db) {
        await sql`delete from users`.execute(db);
        await sql`insert into nowhere values (1)`.execute(db);
      },
    },
  };
  await expect(upgrade(broken)).rejects.toThrow(
    'The database could not be upgraded (migration 999-broken): no such table: nowhere. It was left unchanged and still works with the previous version.',
  );
  await expect(upgrade(FIRST)).resolves.toEqual([]);
  await expect(upgrade(migrations)).resolves.toEqual(Object.keys(migrations).slice(1));
  const sqlite = openWritable(join(dataDir, 'parley.db'));
  const users = sqlite.prepare('select username from users').all();
  sqlite.close();
  expect(users).toEqual([{ username: 'Ada' }]);
});

test('does not upgrade if the snapshot fails', async () => {
  await createFirstVersion();
  await expect(upgrade(migrations, failOnFullDisk)).rejects.toThrow('disk full');
  await expect(upgrade(FIRST)).resolves.toEqual([]);
});

function failOnFullDisk(): never {
  throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
}

test('rejects a database of a newer version and leaves it unchanged', async () => {
  await upgrade({ ...migrations, '999-future': { up: async () => {} } });
  await expect(startServer({}, dataDir)).rejects.toThrow(
    `created by a newer version of Parley (schema 999-future, this version knows up to ${NEWEST_SCHEMA}) ` +
      'and was left untouched. Run that version',
  );
});
