import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator, type MigrationResultSet } from 'kysely/migration';
import type pg from 'pg';
import {
  compareSchema,
  migrationError,
  rejectNewer,
  type Migrations,
  type SchemaState,
} from '../schema.ts';
import { createPool, NO_STATEMENT_LIMITS, query } from './postgres-connection.ts';
import { isLockTimeout } from './postgres-errors.ts';

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
 * How long a migration waits for the lock of a table, in milliseconds. Queries of running servers
 * on that table wait behind it.
 */
const TABLE_LOCK_TIMEOUT = 1_000;
/** How long queries of running servers can proceed before the next attempt, in milliseconds. */
const TABLE_LOCK_PAUSE = 3_000;

/**
 * A migration that takes long is not interrupted. If its machine is lost, its locks are released.
 */
const SETTINGS = {
  ...NO_STATEMENT_LIMITS,
  idle_in_transaction_session_timeout: 60_000,
  lock_timeout: TABLE_LOCK_TIMEOUT,
};

/**
 * Upgrades a database to the newest schema. The migrations share one transaction: if one fails, the
 * database stays unchanged. Processes that start at the same time wait for one another. Waits until
 * long transactions of others, such as a backup, have released the tables.
 * @throws {MigrationError} if a migration fails, or if the database is of a newer version.
 */
export async function migratePostgres(
  databaseUrl: string,
  migrations: Migrations,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<void> {
  const pool = createPool(databaseUrl, 1, SETTINGS);
  try {
    const state = await readPostgresSchema(pool, migrations);
    rejectNewer(state, migrations);
    if (state.pending.length === 0) return;
    for (let attempt = 1; ; attempt += 1) {
      const { error, results = [] } = await runMigrations(pool, migrations);
      if (error === undefined) {
        const steps = results.map(({ migrationName }) => migrationName);
        if (steps.length > 0) log.info({ steps }, 'upgraded the database schema');
        return;
      }
      if (!isLockTimeout(error)) {
        const failed = results.find(({ status }) => status === 'Error')?.migrationName;
        throw migrationError(error, state, failed);
      }
      if (attempt === 1) log.warn('the upgrade of the database waits for other transactions');
      await sleep(TABLE_LOCK_PAUSE);
    }
  } finally {
    await pool.end();
  }
}

function runMigrations(pool: pg.Pool, migrations: Migrations): Promise<MigrationResultSet> {
  // Not destroyed because the caller owns the pool.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const provider = { getMigrations: async () => migrations };
  return new Migrator({ db, provider }).migrateToLatest();
}
