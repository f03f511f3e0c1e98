import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import { copyTables } from '../copy-tables.ts';
import type { OnRowsCopied } from '../maintenance.ts';
import { postgresMigrations } from '../migrations/index.ts';
import { openReadOnly } from '../sqlite/sqlite-connection.ts';
import { isSqliteError } from '../sqlite/sqlite-errors.ts';
import { createSqliteRowSource } from '../sqlite/sqlite-rows.ts';
import { DatabaseCopyError } from '../storage-errors.ts';
import { COPIED_TABLES } from '../table-columns.ts';
import { assertSupported } from './inspect-postgres.ts';
import { readPostgresSchema } from './migrate-postgres.ts';
import { createPool, NO_STATEMENT_LIMITS, query } from './postgres-connection.ts';
import { isInvalidData } from './postgres-errors.ts';
import { createPostgresRowTarget } from './postgres-rows.ts';
import { inTransaction, NO_TIMEOUTS, READ_TRANSACTION, WRITE_TRANSACTION } from './transaction.ts';

/** Callbacks of an import. */
export interface ImportOptions {
  readonly onRowsCopied?: OnRowsCopied | undefined;
  /** Called when everything is copied. If it rejects, the database stays unchanged. */
  readonly beforeCommit: () => Promise<void>;
}

/**
 * Copies a SQLite database of the newest schema to an empty PostgreSQL database, in one
 * transaction. Creates the tables if they do not exist.
 * @throws {DatabaseCopyError} if the database is not empty or rejects rows, an error of PostgreSQL,
 * or an error of `beforeCommit`.
 */
export async function importDatabase(
  databaseUrl: string,
  file: string,
  { onRowsCopied, beforeCommit }: ImportOptions,
): Promise<void> {
  await withPool(databaseUrl, (pool) =>
    // No server can write in the meantime.
    inTransaction(pool, [...WRITE_TRANSACTION, NO_TIMEOUTS], async (client) => {
      if ((await checkEmpty(client)) === 'blank') await createTables(client);
      await copyRows(client, file, onRowsCopied);
      await beforeCommit();
    }),
  );
}

/**
 * Checks whether servers can use a PostgreSQL database and it is empty, so that another one can be
 * imported.
 * @throws {UnsupportedDatabaseError}, {@link DatabaseCopyError} if it is not empty, or an error of
 * PostgreSQL.
 */
export async function assertImportable(databaseUrl: string): Promise<void> {
  await withPool(databaseUrl, async (pool) => {
    await assertSupported(databaseUrl, pool);
    await inTransaction(pool, [READ_TRANSACTION], checkEmpty);
  });
}

async function withPool(
  databaseUrl: string,
  work: (pool: pg.Pool) => Promise<unknown>,
): Promise<void> {
  const pool = createPool(databaseUrl, 1, NO_STATEMENT_LIMITS);
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Returns whether an empty database has no tables at all or those of this version.
 * @throws {DatabaseCopyError} if it is not empty.
 */
async function checkEmpty(client: pg.ClientBase): Promise<'blank' | 'migrated'> {
  const { done, pending, unknown } = await readPostgresSchema(client, postgresMigrations);
  if (done.length === 0) {
    const tables = `select 1 from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`;
    if ((await query(client, tables)).rows.length === 0) return 'blank';
    throw new DatabaseCopyError(
      'The PostgreSQL database contains tables of another program. Use an empty database.',
    );
  }
  if (pending.length > 0 || unknown.length > 0) {
    throw new DatabaseCopyError(
      'The tables in the PostgreSQL database were created by another version of Parley. Use an empty database.',
    );
  }
  for (const { name } of COPIED_TABLES) {
    // Its only row is created with the table.
    if (name === 'media_usage') continue;
    if ((await query(client, `select 1 from ${name} limit 1`)).rows.length === 0) continue;
    throw new DatabaseCopyError(
      `The PostgreSQL database is not empty: the table ${name} has rows. Use an empty database.`,
    );
  }
  return 'migrated';
}

/** Runs the migrations in the transaction of a connection. */
async function createTables(client: pg.ClientBase): Promise<void> {
  const connection = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined, options: {} };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const provider = { getMigrations: async () => postgresMigrations };
  const migrator = new Migrator({ db, provider, disableTransactions: true });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function copyRows(
  client: pg.ClientBase,
  file: string,
  onRowsCopied: OnRowsCopied | undefined,
): Promise<void> {
  const sqlite = openReadOnly(file);
  try {
    // The triggers would update the same row for every upload.
    await query(client, 'alter table media disable trigger user');
    await copyTables(createSqliteRowSource(sqlite), createPostgresRowTarget(client), onRowsCopied);
    await query(client, 'alter table media enable trigger user');
    // Deleted texts are not copied.
    await query(client, `delete from erasures where kind = 'free-pages'`);
    await advanceIdentities(client);
    await query(client, `analyze ${COPIED_TABLES.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    if (isSqliteError(error)) {
      throw new DatabaseCopyError(
        'The database in the archive cannot be read. Nothing was restored.',
        { cause: error },
      );
    }
    if (!isInvalidData(error)) throw error;
    throw new DatabaseCopyError(
      'The database in the archive contains invalid rows. Nothing was restored.',
      { cause: error },
    );
  } finally {
    sqlite.close();
  }
}

/** Continues the columns that number their rows after the copied rows. */
async function advanceIdentities(client: pg.ClientBase): Promise<void> {
  const { rows } = await query<{ table: string; column: string }>(
    client,
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
  );
  for (const { table, column } of rows) {
    await query(
      client,
      `select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false)
       from ${table}`,
    );
  }
}
