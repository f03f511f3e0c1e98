import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type SQLite from 'better-sqlite3';
import { assertNotNested } from '../scope.ts';
import { migrations } from '../migrations/index.ts';
import type { Storage, StorageObserver } from '../storage.ts';
import { openReadOnly, SqliteConnection } from './sqlite-connection.ts';
import { createExecutor } from './dialect.ts';
import { readSchema } from './migrate.ts';
import { loadDatabaseId } from './database-id.ts';
import { createReadPool } from './read-pool.ts';
import { deleteOldSnapshots, hasSnapshots, writeSnapshot } from './snapshot.ts';
import { createWriteQueue } from './write-queue.ts';

/** Number of read connections. A read occupies one for less than a turn of the event loop. */
const READERS = 3;

/** Creates the storage of an open database file. */
export function createSqliteStorage(
  sqlite: SQLite.Database,
  { publish, onCommitted = () => undefined }: StorageObserver,
): Storage {
  const file = sqlite.name;
  const executor = createExecutor();
  const connection = new SqliteConnection(sqlite);
  const pool = createReadPool(
    executor,
    Array.from({ length: READERS }, () => openReadOnly(file)),
  );
  const queue = createWriteQueue({ sqlite, connection, executor, publish, onCommitted });

  return {
    async read(work) {
      assertNotNested('read');
      return pool.read(work);
    },
    async write(work) {
      assertNotNested('write');
      return queue.write(work);
    },
    isShared: false,
    lead(job) {
      const closing = new AbortController();
      const ended = job(closing.signal, closing.signal);
      return () => {
        closing.abort();
        return ended;
      };
    },
    sharedCounters: undefined,
    get writeQueueDepth() {
      return queue.depth;
    },
    isReceivingEvents: true,
    broadcast() {},
    async idle() {
      assertNotNested('idle');
      return queue.idle();
    },
    async close() {
      assertNotNested('close');
      await queue.idle();
      // Close the readers first: the last connection to close copies the write-ahead log into the database.
      await pool.close();
      sqlite.close();
    },

    async id() {
      assertNotNested('id');
      return loadDatabaseId(file);
    },
    async schema() {
      assertNotNested('schema');
      return pool.useConnection((reader) => readSchema(reader, migrations));
    },
    async size() {
      const sizes = [file, `${file}-wal`].map(async (name) => {
        const found = await stat(name).catch(() => undefined);
        return found?.size ?? 0;
      });
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    async snapshot(target) {
      assertNotNested('snapshot');
      return pool.useConnection((reader) => writeSnapshot(reader, target));
    },
    deleteOldSnapshots(now) {
      deleteOldSnapshots(dirname(file), now);
    },
    hasSnapshots: () => hasSnapshots(dirname(file)),
    async truncateWriteAheadLog() {
      assertNotNested('truncateWriteAheadLog');
      return queue.runBetweenTransactions(() => checkpoint(sqlite));
    },
    async rewrite() {
      assertNotNested('rewrite');
      return queue.runBetweenTransactions(() => void sqlite.exec('vacuum'));
    },
  };
}

/**
 * Copies the write-ahead log into the database and truncates it. Returns false if the log is in use.
 */
function checkpoint(sqlite: SQLite.Database): boolean {
  const timeout = Number(sqlite.pragma('busy_timeout', { simple: true }));
  sqlite.pragma('busy_timeout = 0');
  try {
    const [result] = sqlite.pragma('wal_checkpoint(truncate)') as { busy: number }[];
    return result?.busy === 0;
  } finally {
    sqlite.pragma(`busy_timeout = ${timeout}`);
  }
}
