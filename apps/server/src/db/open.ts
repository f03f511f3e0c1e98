import { closeSync, existsSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { FileDialect } from './dialect.ts';
import { cacheStatements } from './statement-cache.ts';

/** An open database: Kysely for queries, the connection for what only SQLite itself can do. */
export interface OpenDatabase {
  readonly db: Kysely<Database>;
  readonly sqlite: SQLite.Database;
}

/**
 * Opens a database file, making it if it does not exist. Close it with `db.destroy()`.
 * @throws an `SqliteError` if the file cannot be opened or is no database.
 */
export function openDatabase(file: string): OpenDatabase {
  if (!existsSync(file)) makePrivate(file);
  const sqlite = new SQLite(file);
  try {
    sqlite.pragma('journal_mode = WAL');
    // With WAL, only FULL flushes every commit: what was acknowledged survives a power cut.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('busy_timeout = 5000');
    sqlite.pragma('cache_size = -16000');
    // In pages: 16 MB of log. New messages rewrite the same pages over and over; copied into the
    // database less often than by default, most of that work is spared.
    sqlite.pragma('wal_autocheckpoint = 4000');
    // Deleted texts are gone from the file, too. FAST would leave them in pages that are free.
    sqlite.pragma('secure_delete = ON');
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const db = new Kysely<Database>({
    dialect: new FileDialect({ database: cacheStatements(sqlite) }),
  });
  return { db, sqlite };
}

/** Makes an empty file that only this user can read; SQLite gives its log beside it the same rights. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // Made by somebody else this moment, or not to be made at all: SQLite says so better.
  }
}
