import type { FastifyBaseLogger } from 'fastify';
import type { Database, DatabaseObserver, ServerDatabase } from './database.ts';
import { openPostgresDatabase, openPostgresServerDatabase } from './postgres/open-postgres.ts';
import { openSqliteDatabase, openSqliteServerDatabase } from './sqlite/open-sqlite.ts';

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
 * Opens the database for a server and upgrades it. The server holds the lock of the data folder.
 * @throws {MigrationError}, a file system error, or an error of the database.
 */
export function openServerDatabase(
  { dataDir, databaseUrl }: DatabaseLocation,
  observer: DatabaseObserver,
  log: FastifyBaseLogger,
): Promise<ServerDatabase> {
  return databaseUrl === undefined
    ? openSqliteServerDatabase(dataDir, observer, log)
    : openPostgresServerDatabase(databaseUrl, observer, log);
}

/**
 * Opens the database for a command; servers may use it at the same time. Events are published only in
 * their processes.
 * @throws an error of the database if it cannot be opened.
 */
export function openDatabase({ dataDir, databaseUrl }: DatabaseLocation): Database {
  return databaseUrl === undefined
    ? openSqliteDatabase(dataDir)
    : openPostgresDatabase(databaseUrl);
}
