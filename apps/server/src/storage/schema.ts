import type { Migration } from 'kysely/migration';

/** Migrations by name. They run in the order of their names. */
export type Migrations = Record<string, Migration>;

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
