import { rmSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import type pg from 'pg';
import { copyTables } from '../copy-tables.ts';
import type { OnRowsCopied } from '../maintenance.ts';
import { migrations } from '../migrations/index.ts';
import { migrate } from '../sqlite/migrate.ts';
import { writeSnapshot } from '../sqlite/snapshot.ts';
import { openWritable } from '../sqlite/sqlite-connection.ts';
import { createSqliteRowTarget } from '../sqlite/sqlite-rows.ts';
import { createPostgresRowSource } from './postgres-rows.ts';

/**
 * Copies a PostgreSQL database to a new SQLite database, as of the snapshot of the connection's
 * transaction.
 * @throws {DatabaseCopyError}, an error of PostgreSQL, or an `SqliteError`; leaves no file behind.
 */
export async function exportDatabase(
  client: pg.ClientBase,
  file: string,
  onRowsCopied?: OnRowsCopied,
): Promise<void> {
  await createEmptyFile(file);
  const sqlite = openWritable(file);
  try {
    // The file is deleted if anything fails, so nothing has to survive a crash.
    sqlite.pragma('journal_mode = MEMORY');
    sqlite.pragma('synchronous = OFF');
    await copyTables(createPostgresRowSource(client), createSqliteRowTarget(sqlite), onRowsCopied);
    sqlite.close();
  } catch (error) {
    sqlite.close();
    rmSync(file, { force: true });
    throw error;
  }
}

/** Creates a database of the newest schema. */
async function createEmptyFile(file: string): Promise<void> {
  // In memory, the migrations cannot run out of disk space.
  const sqlite = new SQLite(':memory:');
  try {
    await migrate(sqlite, migrations);
    writeSnapshot(sqlite, file);
  } finally {
    sqlite.close();
  }
}
