import * as postgres from './postgres/postgres-errors.ts';
import * as sqlite from './sqlite/sqlite-errors.ts';

/** Thrown when code uses the storage incorrectly. */
export class StorageMisuseError extends Error {
  override readonly name = 'StorageMisuseError';
}

/** Thrown if another process has locked the data folder. The message is meant for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(dataDir: string, options?: ErrorOptions) {
    super(
      `Another server is running on ${dataDir}. Stop it first, or set PARLEY_DATA to another folder.`,
      options,
    );
  }
}

/**
 * Thrown if the database cannot be upgraded to this version's schema. The message is meant for the
 * operator.
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Thrown if the database server does not have what Parley needs. The message is meant for the
 * operator.
 */
export class UnsupportedDatabaseError extends Error {
  override readonly name = 'UnsupportedDatabaseError';
}

/**
 * Thrown by a running server after a newer version has upgraded the database so that this version
 * cannot use it. The message is meant for the operator.
 */
export class BreakingUpgradeError extends Error {
  override readonly name = 'BreakingUpgradeError';
}

/**
 * Thrown if a database cannot be copied to another engine. The message is meant for the operator.
 */
export class DatabaseCopyError extends Error {
  override readonly name = 'DatabaseCopyError';
}

/** Returns the error code for a failure of the database, or undefined for any other error. */
export function storageErrorCode(error: unknown): 'storage_full' | 'unavailable' | undefined {
  if (error instanceof BreakingUpgradeError) return 'unavailable';
  return sqlite.sqliteErrorCode(error) ?? postgres.postgresErrorCode(error);
}

/** Returns whether an error comes from the database. */
export function isDatabaseError(error: unknown): boolean {
  return sqlite.isSqliteError(error) || postgres.isPostgresError(error);
}

export { describePostgresError, isPasswordMissing } from './postgres/postgres-errors.ts';
export { describeSqliteError, isCorruptionError } from './sqlite/sqlite-errors.ts';
