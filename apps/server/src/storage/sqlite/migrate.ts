import type SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MigrationError } from '../errors.ts';
import { compareSchema, type Migrations, type SchemaState } from '../schema.ts';
import { ParleySqliteDialect } from './dialect.ts';

/** Returns which migrations a database has, and changes nothing. */
export function readSchema(sqlite: SQLite.Database, migrations: Migrations): SchemaState {
  const table = sqlite.prepare(
    `select name from sqlite_master where type = 'table' and name = 'kysely_migration'`,
  );
  const done =
    table.get() === undefined
      ? []
      : sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all();
  return compareSchema(done, migrations);
}

/**
 * Brings a database to the newest schema and returns the names of the migrations it ran. All of them are
 * one transaction: if one fails, the database stays as it was, and the previous version can go on.
 * `beforeUpgrade` is called first if there is something to lose.
 *
 * A migration can rebuild a table (create, copy, drop, rename): foreign keys are off meanwhile, so that
 * dropping the old table deletes nothing in the others, and are checked before the commit.
 * @throws {MigrationError} if a migration fails, leaves a broken reference, or is of a newer version.
 */
export async function migrate(
  sqlite: SQLite.Database,
  migrations: Migrations,
  beforeUpgrade: (state: SchemaState) => void = () => undefined,
): Promise<string[]> {
  const state = readSchema(sqlite, migrations);
  refuseNewer(state, migrations);
  if (state.pending.length === 0) return [];
  if (state.done.length > 0) beforeUpgrade(state);

  // Not destroyed: the connection is the caller's.
  const db = new Kysely<unknown>({ dialect: new ParleySqliteDialect({ database: sqlite }) });
  const provider = { getMigrations: async () => checkAtEnd(migrations, state, sqlite) };
  // Has no effect inside of a transaction, so it comes before.
  sqlite.pragma('foreign_keys = OFF');
  const { error, results } = await new Migrator({ db, provider })
    .migrateToLatest()
    .finally(() => sqlite.pragma('foreign_keys = ON'));
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

/** Adds a check of all references to the last migration, inside of its transaction. */
function checkAtEnd(
  migrations: Migrations,
  { pending }: SchemaState,
  sqlite: SQLite.Database,
): Migrations {
  const last = pending.at(-1) ?? '';
  const migration = migrations[last];
  if (migration === undefined) return migrations;
  return {
    ...migrations,
    [last]: {
      async up(db) {
        await migration.up(db);
        const [broken] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[];
        if (broken === undefined) return;
        throw new Error(
          `a row of ${broken.table} refers to a row of ${broken.parent} that does not exist`,
        );
      },
    },
  };
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
