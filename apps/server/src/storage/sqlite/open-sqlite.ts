import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import type { FastifyBaseLogger } from 'fastify';
import type { Cluster } from '../cluster.ts';
import type { Database, DatabaseObserver, ServerDatabase } from '../database.ts';
import { migrations } from '../migrations/index.ts';
import { openWritable } from './sqlite-connection.ts';
import { migrate } from './migrate.ts';
import { snapshotBeforeUpgrade } from './snapshot.ts';
import { createSqliteDatabase } from './sqlite-database.ts';

/** Returns the path of the database in a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'parley.db');
}

/**
 * Opens the database of a data folder for the server, which holds the folder's lock, and upgrades it.
 * @throws {MigrationError}, a file system error, or an `SqliteError` if the folder cannot be used.
 */
export async function openSqliteServerDatabase(
  dataDir: string,
  observer: DatabaseObserver,
  log: FastifyBaseLogger,
): Promise<ServerDatabase> {
  const sqlite = openWritable(databaseFile(dataDir));
  try {
    const steps = await migrate(sqlite, migrations, ({ done, pending }) => {
      const upgrade = { from: done.at(-1) ?? '', to: pending.at(-1) ?? '' };
      const { file: snapshot, isNew } = snapshotBeforeUpgrade(sqlite, dataDir, upgrade);
      log.info(
        { snapshot },
        isNew
          ? 'created a snapshot of the database before the upgrade'
          : 'the database is unchanged since its snapshot before this upgrade',
      );
    });
    if (steps.length > 0) log.info({ steps }, 'upgraded the database schema');
    return { ...createSqliteDatabase(sqlite, observer), cluster: createSingleServer() };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Creates the cluster of a server without others. */
function createSingleServer(): Cluster {
  return {
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
    isReceivingEvents: true,
    broadcast() {},
  };
}

/**
 * Opens the database of a data folder for a command; a server may run on it at the same time.
 * @throws an `SqliteError` if the database cannot be opened.
 */
export function openSqliteDatabase(dataDir: string): Database {
  return createSqliteDatabase(openWritable(databaseFile(dataDir)));
}

/** Opens a standalone copy of a database, such as a snapshot, without a write-ahead log. */
export function openCopy(file: string): Database {
  const sqlite = openWritable(file);
  sqlite.pragma('journal_mode = DELETE');
  return createSqliteDatabase(sqlite);
}

/**
 * Upgrades a standalone copy of a database to the newest schema, without a snapshot.
 * @throws {MigrationError}
 */
export async function upgradeCopy(file: string): Promise<void> {
  const sqlite = openWritable(file);
  try {
    sqlite.pragma('journal_mode = DELETE');
    await migrate(sqlite, migrations);
  } finally {
    sqlite.close();
  }
}

/** Returns the version of SQLite. */
export function engineVersion(): string {
  const sqlite = new SQLite(':memory:');
  try {
    return String(sqlite.prepare('select sqlite_version()').pluck().get());
  } finally {
    sqlite.close();
  }
}
