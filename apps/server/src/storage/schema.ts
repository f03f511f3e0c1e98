import type { Migration } from 'kysely/migration';
import { MigrationError } from './storage-errors.ts';

/** Migrations by name. They run in the order of their names. */
export type Migrations = Record<string, Migration>;

/**
 * End of the name of a migration after which servers of earlier versions cannot use the database,
 * because it drops or changes something that they need.
 */
const BREAKING = '-breaking';

/** The migrations of a database compared with those of this version. */
export interface SchemaState {
  readonly done: readonly string[];
  readonly pending: readonly string[];
  /** Migrations in the database that this version does not contain: those of a newer version. */
  readonly unknown: readonly string[];
}

/** Compares the migrations of a database with those of this version. */
export function compareSchema(done: readonly string[], migrations: Migrations): SchemaState {
  const known = Object.keys(migrations).toSorted();
  return {
    done,
    pending: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

/**
 * Rejects the database of a newer version.
 * @throws {MigrationError}
 */
export function rejectNewer({ unknown }: SchemaState, migrations: Migrations): void {
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database was created by a newer version of Parley (schema ${unknown.at(-1)}, this version ` +
      `knows up to ${Object.keys(migrations).toSorted().at(-1)}) and was left untouched. Run that ` +
      'version, or restore a backup from before the upgrade.',
  );
}

/** Finds the migration that prevents this version from using the database of a newer one. */
export function findBreaking({ unknown }: SchemaState): string | undefined {
  return unknown.find((name) => name.endsWith(BREAKING));
}

/** Returns the error for a failed migration. `failed` is its name, if one failed. */
export function migrationError(
  error: unknown,
  { done }: SchemaState,
  failed: string | undefined,
): MigrationError {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  const message =
    done.length === 0
      ? `The database could not be created: ${reason}.`
      : `The database could not be upgraded${failed === undefined ? '' : ` (migration ${failed})`}: ` +
        `${reason}. It was left unchanged and still works with the previous version.`;
  return new MigrationError(message, { cause: error });
}
