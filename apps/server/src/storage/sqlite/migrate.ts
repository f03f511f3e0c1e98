import type SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import {
  compareSchema,
  migrationError,
  rejectNewer,
  type Migrations,
  type SchemaState,
} from '../schema.ts';
import { ParleySqliteDialect } from './dialect.ts';

/** Returns which migrations a database has, without changing it. */
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
 * Upgrades a database to the newest schema and returns the names of the migrations that ran. They share
 * one transaction: if one fails, the database stays unchanged and still works with the previous
 * version. `beforeUpgrade` is called first if the database is not new.
 *
 * A migration can rebuild a table (create, copy, drop, rename): foreign keys are off during the
 * migration, so that dropping the old table deletes nothing in others, and are checked before the commit.
 * @throws {MigrationError} if a migration fails or leaves a broken reference, or if the database is of a newer version.
 */
export async function migrate(
  sqlite: SQLite.Database,
  migrations: Migrations,
  beforeUpgrade: (state: SchemaState) => void = () => undefined,
): Promise<string[]> {
  const state = readSchema(sqlite, migrations);
  rejectNewer(state, migrations);
  if (state.pending.length === 0) return [];
  if (state.done.length > 0) beforeUpgrade(state);

  // Not destroyed because the caller owns the connection.
  const db = new Kysely<unknown>({ dialect: new ParleySqliteDialect({ database: sqlite }) });
  const provider = { getMigrations: async () => withReferenceCheck(migrations, state, sqlite) };
  // Must precede the transaction, inside which it has no effect.
  sqlite.pragma('foreign_keys = OFF');
  const { error, results } = await new Migrator({ db, provider })
    .migrateToLatest()
    .finally(() => sqlite.pragma('foreign_keys = ON'));
  if (error === undefined) return (results ?? []).map((result) => result.migrationName);
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  throw migrationError(error, state, failed);
}

/** Appends a check of all references to the last migration, inside its transaction. */
function withReferenceCheck(
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
