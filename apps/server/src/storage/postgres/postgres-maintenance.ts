import type pg from 'pg';
import type { Maintenance } from '../maintenance.ts';
import { postgresMigrations } from '../migrations/index.ts';
import { assertNotNested } from '../scope.ts';
import { exportDatabase } from './export-database.ts';
import { readPostgresSchema } from './migrate-postgres.ts';
import type { PendingWork } from './pending-work.ts';
import { query } from './postgres-connection.ts';
import { inTransaction, NO_TIMEOUTS, READ_TRANSACTION } from './transaction.ts';

/** Copies of a database have another id, unless they are physical copies of the whole cluster. */
const DATABASE_ID = `select system_identifier || '/' || oid as id
  from pg_control_system(), pg_database where datname = current_database()`;

/** Creates the maintenance of a migrated database. */
export function createPostgresMaintenance(pool: pg.Pool, pending: PendingWork): Maintenance {
  return {
    async id() {
      assertNotNested('maintenance.id');
      const { rows } = await query<{ id: string }>(pool, DATABASE_ID);
      return rows[0]?.id ?? '';
    },
    async schema() {
      assertNotNested('maintenance.schema');
      return readPostgresSchema(pool, postgresMigrations);
    },
    async size() {
      const sql = 'select pg_database_size(current_database()) as size';
      const { rows } = await query<{ size: number }>(pool, sql);
      return rows[0]?.size ?? 0;
    },
    get writeQueueDepth() {
      return pending.writes;
    },
    async snapshot(file, onRowsCopied) {
      assertNotNested('maintenance.snapshot');
      return pending.run('other', () =>
        inTransaction(pool, [READ_TRANSACTION, NO_TIMEOUTS], (client) =>
          exportDatabase(client, file, onRowsCopied),
        ),
      );
    },
    deleteOldSnapshots() {},
    hasSnapshots: () => false,
    async truncateWriteAheadLog() {
      assertNotNested('maintenance.truncateWriteAheadLog');
      return true;
    },
    // Versions that left deleted texts in free pages did not run on PostgreSQL.
    async rewrite() {
      assertNotNested('maintenance.rewrite');
    },
  };
}
