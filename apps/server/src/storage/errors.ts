import * as sqlite from './sqlite/errors.ts';

/** A mistake in the program's use of the storage. */
export class StorageMisuseError extends Error {
  override readonly name = 'StorageMisuseError';
}

/** Another process has locked the data folder. The message is a sentence for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(dataDir: string, options?: ErrorOptions) {
    super(
      `Another server is running on ${dataDir}. Stop it first, or set PARLEY_DATA to another folder.`,
      options,
    );
  }
}

/** The database could not be upgraded to this version's schema. The message is for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Whether a write failed because a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlite.isUniqueViolation(error);
}

/** The error code for a failure of the database, or undefined if the error is something else. */
export function storageErrorCode(error: unknown): 'storage_full' | 'unavailable' | undefined {
  return sqlite.storageErrorCode(error);
}

/** Whether the database failed, for whatever reason. */
export function isDatabaseError(error: unknown): boolean {
  return sqlite.isDatabaseError(error);
}
