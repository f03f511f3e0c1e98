import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** Steps by their names, which sort in the order in which they are taken. */
export type Migrations = Record<string, Migration>;

/** The database could not be brought to this version's schema. The message is for an operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Where a database stands: the steps that it has taken, and those that are to come. */
export interface SchemaState {
  readonly done: readonly string[];
  readonly pending: readonly string[];
  /** Steps of the database that this version does not know: those of a newer one. */
  readonly unknown: readonly string[];
}

/** Reads where a database stands and changes nothing. A new one has done no step. */
export async function schemaState<T>(db: Kysely<T>, migrations: Migrations): Promise<SchemaState> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name = 'kysely_migration'
  `.execute(db);
  const rows =
    tables.rows.length === 0
      ? []
      : (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db))
          .rows;
  const done = rows.map((row) => row.name);
  const known = Object.keys(migrations).toSorted();
  return {
    done,
    pending: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

/**
 * Brings a database to the newest schema and returns the names of the steps it took. All of them are
 * one transaction: if one fails, the database stays as it was, and the version before can go on.
 * `beforeUpgrade` is called first where there is something to lose.
 * @throws {MigrationError} if a step fails, or if the database is of a newer version.
 */
export async function migrate<T>(
  db: Kysely<T>,
  migrations: Migrations,
  beforeUpgrade: (state: SchemaState) => void = () => undefined,
): Promise<string[]> {
  const state = await schemaState(db, migrations);
  refuseNewer(state, migrations);
  if (state.pending.length === 0) return [];
  if (state.done.length > 0) beforeUpgrade(state);

  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return (results ?? []).map((result) => result.migrationName);
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  if (state.done.length === 0) {
    throw new MigrationError(`The database could not be made: ${reason(error)}.`, { cause: error });
  }
  throw new MigrationError(
    `The database could not be upgraded${failed === undefined ? '' : ` (step ${failed})`}: ` +
      `${reason(error)}. It is as it was before; the version before can go on with it.`,
    { cause: error },
  );
}

function refuseNewer({ unknown }: SchemaState, migrations: Migrations): void {
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database was made by a newer version of Parley (schema ${unknown.at(-1)}, this version ` +
      `knows up to ${Object.keys(migrations).toSorted().at(-1)}) and was left untouched. Run that ` +
      'version, or restore a backup from before the upgrade.',
  );
}

function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
