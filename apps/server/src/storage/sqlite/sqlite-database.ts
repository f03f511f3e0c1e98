import type SQLite from 'better-sqlite3';
import type { Database, DatabaseObserver } from '../database.ts';
import { assertNotNested } from '../scope.ts';
import { openReadOnly, SqliteConnection } from './sqlite-connection.ts';
import { createExecutor } from './dialect.ts';
import { createReadPool } from './read-pool.ts';
import { createSqliteMaintenance } from './sqlite-maintenance.ts';
import { createWriteQueue } from './write-queue.ts';

/**
 * Number of read connections. A read occupies one for less than a turn of the event loop, except for searches, of which
 * two run at a time.
 */
const READERS = 3;

/** Creates the access to an open database file. */
export function createSqliteDatabase(
  sqlite: SQLite.Database,
  { publish, onCommitted = () => undefined }: DatabaseObserver = { publish: () => undefined },
): Database {
  // Savepoints keep what pages contained before in memory. In a temporary file, that took two system calls per page.
  sqlite.pragma('temp_store = MEMORY');
  const executor = createExecutor();
  const connection = new SqliteConnection(sqlite);
  const pool = createReadPool(
    executor,
    Array.from({ length: READERS }, () => openReadOnly(sqlite.name)),
  );
  const queue = createWriteQueue({ sqlite, connection, executor, publish, onCommitted });

  return {
    storage: {
      async read(work) {
        assertNotNested('storage.read');
        return pool.read(work);
      },
      async write(work) {
        assertNotNested('storage.write');
        return queue.write(work);
      },
    },
    maintenance: createSqliteMaintenance(sqlite, pool, queue),
    async close() {
      assertNotNested('database.close');
      await queue.idle();
      // Close the readers first: the last connection to close copies the write-ahead log into the database.
      await pool.close();
      sqlite.close();
    },
  };
}
