import { randomBytes } from 'node:crypto';
import { createPool, NO_STATEMENT_LIMITS } from '../src/storage/postgres/postgres-connection.ts';

/** Beginning of the names of all databases that tests create, except for the template. */
const PREFIX = 'parley_test_';

/** Name of the migrated database that others are copied from. */
export const TEMPLATE = 'parley_template';

/** Settings of the tests' own connections, which wait as long as a busy machine takes. */
const PATIENT = { ...NO_STATEMENT_LIMITS, connectionTimeoutMillis: 0 };

/** A database on the cluster of the test run. */
export interface TestDatabase {
  readonly url: string;
  /** Empties the database, so that another server can use it. */
  readonly release: () => Promise<void>;
}

/** Migrated databases without rows that this process has created and does not use. */
const free: string[] = [];

/** Databases of data folders that outlive their server. */
const ofFolder = new Map<string, Promise<TestDatabase | undefined>>();

/** Keeps later tests from using the databases of earlier ones. */
export function forgetDatabases(): void {
  free.length = 0;
  ofFolder.clear();
}

/**
 * Provides the database of a data folder that outlives its server, as SQLite does. Returns
 * undefined if the tests run on SQLite.
 */
export function testDatabaseOf(dataDir: string): Promise<TestDatabase | undefined> {
  const known = ofFolder.get(dataDir);
  if (known !== undefined) return known;
  const created = acquireTestDatabase().then(
    (database) => database && { ...database, release: () => Promise.resolve() },
  );
  ofFolder.set(dataDir, created);
  return created;
}

/** Returns the variables of commands on a data folder that outlives its server. */
export async function variablesOf(
  dataDir: string,
): Promise<{ PARLEY_DATA: string; PARLEY_DATABASE_URL?: string }> {
  const database = await testDatabaseOf(dataDir);
  return { PARLEY_DATA: dataDir, ...(database && { PARLEY_DATABASE_URL: database.url }) };
}

/** Provides a migrated, empty database. Returns undefined if the tests run on SQLite. */
export async function acquireTestDatabase(): Promise<TestDatabase | undefined> {
  const cluster = process.env['PARLEY_TEST_CLUSTER'];
  if (cluster === undefined) return undefined;
  const url = free.pop() ?? (await createDatabase(cluster));
  let isReleased = false;
  return {
    url,
    release: async () => {
      // Another server may use it meanwhile.
      if (isReleased) return;
      isReleased = true;
      await runOn(url, emptyAllTablesBut(['kysely%', 'media_usage']));
      free.push(url);
    },
  };
}

/** Creates a database and returns its URL. */
export async function createDatabase(cluster: string, template = TEMPLATE): Promise<string> {
  const name = `${PREFIX}${randomBytes(6).toString('hex')}`;
  await runOn(cluster, `create database ${name} template ${template}`);
  const url = new URL(`/${name}`, cluster);
  // Some tests keep a transaction open, and a busy machine may pause one.
  url.searchParams.set('idle_in_transaction_session_timeout', '60000');
  return url.href;
}

/** Drops all databases of this test run and of those that were aborted. */
export async function dropDatabases(cluster: string): Promise<void> {
  const pool = createPool(cluster, 1, PATIENT);
  try {
    const { rows } = await pool.query<{ name: string }>(
      'select datname as name from pg_database where datname = $1 or starts_with(datname, $2)',
      [TEMPLATE, PREFIX],
    );
    for (const { name } of rows) await pool.query(`drop database ${name} with (force)`);
  } finally {
    await pool.end();
  }
}

/**
 * Returns a statement that deletes the rows without triggers and foreign keys, which is faster than to truncate the
 * tables. Names that match one of `kept` stay.
 */
export function emptyAllTablesBut(kept: readonly string[]): string {
  const names = kept.map((pattern) => `'${pattern}'`).join(', ');
  return `
  do $$ declare name text; begin
    set local session_replication_role = replica;
    for name in
      select tablename from pg_tables
      where schemaname = 'public' and tablename not like all (array[${names}])
    loop
      execute format('delete from %I', name);
    end loop;
    update media_usage set files = 0, bytes = 0;
  end $$`;
}

/** Runs a statement on a database. */
export async function runOn(url: string, statement: string): Promise<void> {
  const pool = createPool(url, 1, PATIENT);
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}
