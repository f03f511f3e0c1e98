import { sql, type Kysely } from 'kysely';
import type { Database } from './database.ts';

/**
 * Copies SQLite's write-ahead log into the database and cuts it to nothing: it holds the pages that
 * were written since, deleted texts included. Between writes only. Returns false if another process
 * reads or writes at this moment: it does not wait, since waiting would hold up the event loop.
 */
export function truncateLog(db: Kysely<Database>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const before = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = 0`.execute(connection);
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(
        connection,
      );
      return rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(before.rows[0]?.timeout ?? 0)}`.execute(connection);
    }
  });
}
