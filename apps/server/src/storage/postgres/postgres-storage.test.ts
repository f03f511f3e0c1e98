import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IS_ON_POSTGRES } from '../../../test/server-group.ts';
import { acquireTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import type { Database } from '../database.ts';
import type { Reader, Storage, Writer } from '../storage.ts';
import { createStoragePool, openPostgresDatabase } from './open-postgres.ts';
import { createPendingWork } from './pending-work.ts';
import { createPool } from './postgres-connection.ts';
import { createPostgresStorage } from './postgres-storage.ts';
import { createSharedCounters } from './shared-counters.ts';
import { inTransaction, WRITE_TRANSACTION } from './transaction.ts';

const insert = (trx: Writer, name: string) =>
  trx.insertInto('secrets').values({ name, value: '' }).execute();
const names = async (db: Reader) => {
  const rows = await db.selectFrom('secrets').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
};

describe.skipIf(!IS_ON_POSTGRES)('the storage on PostgreSQL', () => {
  let database: TestDatabase;
  let opened: Database;
  let storage: Storage;
  /** A connection of someone else. */
  let other: pg.Pool;

  beforeEach(async () => {
    database = (await acquireTestDatabase()) ?? expect.fail();
    opened = openPostgresDatabase(database.url);
    ({ storage } = opened);
    other = createPool(database.url, 2, { idle_in_transaction_session_timeout: 0 });
  });
  afterEach(async () => {
    await opened.close();
    await other.end();
    await database.release();
  });

  /** Runs work while another connection holds the lock of writes. */
  async function whileLocked(work: () => Promise<void>): Promise<void> {
    await inTransaction(other, WRITE_TRANSACTION, async (client) => {
      // Once it is answered, the lock is held.
      await client.query('select');
      await work();
    });
  }

  test('a write rejects with the error because of which it did not get the lock', async () => {
    await whileLocked(async () => {
      const written = storage.write(({ trx }) => insert(trx, 'a'));
      written.catch(() => undefined);
      await until(async () => {
        const { rows } = await other.query(CANCEL_WAITING);
        return rows.length > 0;
      });
      await expect(written).rejects.toMatchObject({ code: '57014' });
    });
    expect(await storage.read(names)).toEqual([]);
  });

  test('limits are counted again after a deadlock', async () => {
    const pool = createStoragePool(database.url, 2);
    const counters = createSharedCounters(pool, createPendingWork());
    const both = ['a', 'b'].map((key) => ({ key, max: 3, duration: 60_000 }));
    const use = () => counters.use(both, () => false);
    await use();
    await inTransaction(other, ['begin'], async (client) => {
      const lock = (key: string) =>
        client.query('select from shared_counters where key = $1 for update', [key]);
      await lock('b');
      const used = use();
      await until(async () => {
        const { rows } = await other.query(WAITING_FOR_ROWS);
        return rows.length > 0;
      });
      // PostgreSQL ends the transaction that has waited longest.
      await lock('a');
      await client.query('commit and chain');
      expect(await used).toEqual(new Map());
    });
    await use();
    expect([...(await use()).keys()].toSorted()).toEqual(['a', 'b']);
    await pool.end();
  });

  test('nothing is written if a transaction does not begin', async () => {
    const pool = createStoragePool(database.url, 1);
    const sql = `insert into secrets (name, value) values ('a', '')`;
    const written = inTransaction(pool, ['begin what is not SQL'], (client) => client.query(sql));
    // The error of the transaction, not the one of the insert.
    await expect(written).rejects.toMatchObject({ code: '42601' });
    await pool.end();
    expect(await storage.read(names)).toEqual([]);
  });

  test('reads do not wait for writes that wait for one another', async () => {
    const pool = createStoragePool(database.url, 3);
    const exclusivePool = createStoragePool(database.url, 2);
    const server = createPostgresStorage({ pool, exclusivePool }, createPendingWork(), {});
    const writes: Promise<unknown>[] = [];
    await whileLocked(async () => {
      for (let i = 0; i < 10; i += 1) writes.push(server.write(({ trx }) => insert(trx, `${i}`)));
      await until(async () => (await other.query(WAITING)).rows.length === 2);
      expect(await server.read(names)).toEqual([]);
    });
    await Promise.all(writes);
    expect(await server.read(names)).toHaveLength(10);
    await pool.end();
    await exclusivePool.end();
  });

  test('a statement is prepared again when a table has another column', async () => {
    const select = (db: Reader) => db.selectFrom('erasures').selectAll().execute();
    const change = (trx: Writer) =>
      trx.deleteFrom('erasures').where('kind', '=', 'mails').returningAll().execute();
    // Several connections prepare it.
    await Promise.all(Array.from({ length: 10 }, () => storage.read(select)));
    await storage.write(({ trx }) => change(trx));
    await other.query('alter table erasures add column extra text');
    try {
      await Promise.all(Array.from({ length: 10 }, () => storage.read(select)));
      await storage.write(({ trx }) => change(trx));
    } finally {
      await other.query('alter table erasures drop column extra');
    }
  });
});

/** Sessions that wait for the lock of writes. */
const WAITING = `
  select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;

const CANCEL_WAITING = `select pg_cancel_backend(pid) from (${WAITING}) as waiting`;

const WAITING_FOR_ROWS = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'advisory'`;
