import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import {
  compareSchema,
  migrationError,
  rejectNewer,
  type Migrations,
  type SchemaState,
} from '../schema.ts';
import { query } from './postgres-connection.ts';

/** Returns which migrations a database has, without changing it. */
export async function readPostgresSchema(
  client: pg.ClientBase | pg.Pool,
  migrations: Migrations,
): Promise<SchemaState> {
  const table = await query(client, `select 1 where to_regclass('kysely_migration') is not null`);
  if (table.rows.length === 0) return compareSchema([], migrations);
  const done = await query<{ name: string }>(
    client,
    'select name from kysely_migration order by name collate "C"',
  );
  return compareSchema(
    done.rows.map(({ name }) => name),
    migrations,
  );
}

/**
 * Upgrades a database to the newest schema and returns the names of the migrations that ran. They share
 * one transaction: if one fails, the database stays unchanged. Processes that start at the same time
 * wait for one another.
 * @throws {MigrationError} if a migration fails, or if the database is of a newer version.
 */
export async function migratePostgres(pool: pg.Pool, migrations: Migrations): Promise<string[]> {
  const state = await readPostgresSchema(pool, migrations);
  rejectNewer(state, migrations);
  if (state.pending.length === 0) return [];
  // Not destroyed because the caller owns the pool.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const provider = { getMigrations: async () => migrations };
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return (results ?? []).map((result) => result.migrationName);
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  throw migrationError(error, state, failed);
}
