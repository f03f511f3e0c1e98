import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type SQLite from 'better-sqlite3';
import type { Maintenance } from '../maintenance.ts';
import { migrations } from '../migrations/index.ts';
import { assertNotNested } from '../scope.ts';
import { loadDatabaseId } from './database-id.ts';
import { readSchema } from './migrate.ts';
import type { ReadPool } from './read-pool.ts';
import { deleteOldSnapshots, hasSnapshots, writeSnapshot } from './snapshot.ts';
import type { WriteQueue } from './write-queue.ts';

/** Creates the maintenance of an open database file. */
export function createSqliteMaintenance(
  sqlite: SQLite.Database,
  pool: ReadPool,
  queue: WriteQueue,
): Maintenance {
  const file = sqlite.name;
  const folder = dirname(file);
  return {
    async id() {
      assertNotNested('maintenance.id');
      return loadDatabaseId(file);
    },
    async schema() {
      assertNotNested('maintenance.schema');
      return pool.useConnection((reader) => readSchema(reader, migrations));
    },
    async size() {
      const sizes = [file, `${file}-wal`].map(async (name) => {
        const found = await stat(name).catch(() => undefined);
        return found?.size ?? 0;
      });
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    get writeQueueDepth() {
      return queue.depth;
    },
    async snapshot(target) {
      assertNotNested('maintenance.snapshot');
      return pool.useConnection((reader) => writeSnapshot(reader, target));
    },
    deleteOldSnapshots: (now) => deleteOldSnapshots(folder, now),
    hasSnapshots: () => hasSnapshots(folder),
    async truncateWriteAheadLog() {
      assertNotNested('maintenance.truncateWriteAheadLog');
      return queue.runBetweenTransactions(() => checkpoint(sqlite));
    },
    async rewrite() {
      assertNotNested('maintenance.rewrite');
      return queue.runBetweenTransactions(() => rewriteFile(sqlite));
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

/** Writes the database again without free pages, through a temporary file as large as the database. */
function rewriteFile(sqlite: SQLite.Database): void {
  const before = Number(sqlite.pragma('temp_store', { simple: true }));
  sqlite.pragma('temp_store = FILE');
  try {
    sqlite.exec('vacuum');
  } finally {
    sqlite.pragma(`temp_store = ${before}`);
  }
}
