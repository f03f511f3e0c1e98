import type { Migration } from 'kysely/migration';

/** Migrations by name. The order of the names is the order in which they run. */
export type Migrations = Record<string, Migration>;

/** Which migrations a database has. */
export interface SchemaState {
  readonly done: readonly string[];
  readonly pending: readonly string[];
  /** Migrations of the database that this version does not know: those of a newer version. */
  readonly unknown: readonly string[];
}

/** Compares the migrations that a database has with those of this version. */
export function compareSchema(done: readonly string[], migrations: Migrations): SchemaState {
  const known = Object.keys(migrations).toSorted();
  return {
    done,
    pending: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}
