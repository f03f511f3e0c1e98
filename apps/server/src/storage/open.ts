import type { FastifyBaseLogger } from 'fastify';
import { openPostgresServerStorage, openPostgresStorage } from './postgres/open-postgres.ts';
import { openSqliteServerStorage, openSqliteStorage } from './sqlite/open-sqlite.ts';
import type { Storage, StorageObserver } from './storage.ts';

// Only this module determines which engine is used.
export { databaseFile, engineVersion, openCopy, upgradeCopy } from './sqlite/open-sqlite.ts';
export { lockDataFolder, lockFile, SERVER_LOCK } from './sqlite/server-lock.ts';
export { assertImportable, importDatabase } from './postgres/import-database.ts';
export {
  countServers,
  findProblem,
  inspectPostgres,
  NO_SESSIONS,
  type PostgresReport,
} from './postgres/inspect-postgres.ts';
export { inspectDatabase } from './sqlite/inspection.ts';

/** Where the database is. */
export interface DatabaseLocation {
  readonly dataDir: string;
  /** URL of a PostgreSQL database; if undefined, the database is a file in the data folder. */
  readonly databaseUrl?: string | undefined;
}

/**
 * Opens the storage for a server and upgrades it. The server holds the lock of the data folder.
 * @throws {MigrationError}, a file system error, or an error of the database.
 */
export function openServerStorage(
  { dataDir, databaseUrl }: DatabaseLocation,
  observer: StorageObserver,
  log: FastifyBaseLogger,
): Promise<Storage> {
  return databaseUrl === undefined
    ? openSqliteServerStorage(dataDir, observer, log)
    : openPostgresServerStorage(databaseUrl, observer, log);
}

/**
 * Opens the storage for a command; servers may use it at the same time.
 * @throws an error of the database if it cannot be opened.
 */
export function openStorage(
  { dataDir, databaseUrl }: DatabaseLocation,
  observer: StorageObserver,
): Storage {
  return databaseUrl === undefined
    ? openSqliteStorage(dataDir, observer)
    : openPostgresStorage(databaseUrl, observer);
}
