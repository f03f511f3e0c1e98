import SQLite from 'better-sqlite3';
import type { Migrations } from '../schema.ts';
import { migrate, readSchema } from './migrate.ts';

/** The tables of Kysely, whose definitions may be written differently by its versions, by their columns. */
const MIGRATOR_TABLES = new Map(
  ['kysely_migration', 'kysely_migration_lock'].map((name) => [
    name,
    (sqlite: SQLite.Database) => JSON.stringify(sqlite.pragma(`table_xinfo(${name})`)),
  ]),
);

/**
 * Compares the tables, indexes, triggers and views of a database with those that its migrations create.
 * Returns the first difference, such as `an unknown trigger evil`, or undefined if there is none or the
 * database is of a newer version.
 */
export async function findSchemaDifference(
  sqlite: SQLite.Database,
  migrations: Migrations,
): Promise<string | undefined> {
  const { done, unknown } = readSchema(sqlite, migrations);
  if (unknown.length > 0) return undefined;
  const known = Object.keys(migrations).toSorted().slice(0, done.length);
  if (done.some((name, i) => name !== known[i])) return 'an incomplete list of migrations';
  const expected = await createExpected(
    Object.fromEntries(Object.entries(migrations).filter(([name]) => known.includes(name))),
  );
  const found = readObjects(sqlite);
  for (const [key, definition] of found) {
    if (!expected.has(key)) return `an unknown ${describe(key)}`;
    if (expected.get(key) !== definition) return `a changed ${describe(key)}`;
  }
  const missing = expected.keys().find((key) => !found.has(key));
  return missing === undefined ? undefined : `no ${describe(missing)}`;
}

async function createExpected(migrations: Migrations): Promise<ReadonlyMap<string, string>> {
  const sqlite = new SQLite(':memory:');
  try {
    await migrate(sqlite, migrations);
    return readObjects(sqlite);
  } finally {
    sqlite.close();
  }
}

/** The tables with the statistics of `analyze`, as SQLite creates them. */
const STATISTICS: Readonly<Record<string, string>> = {
  sqlite_stat1: 'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  sqlite_stat4: 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
};

/** Returns the definitions of all objects by type and name, without statistics. */
function readObjects(sqlite: SQLite.Database): Map<string, string> {
  const objects = sqlite
    .prepare<[], { type: string; name: string; table: string; sql: string | null }>(
      'select type, name, tbl_name as "table", sql from sqlite_schema',
    )
    .all()
    // Other objects may have their names in a file that was not written by SQLite.
    .filter(({ type, name, sql }) => type !== 'table' || STATISTICS[name] !== sql);
  return new Map(
    objects.map(({ type, name, table, sql }) => [
      `${type} ${name}`,
      `${table}: ${MIGRATOR_TABLES.get(name)?.(sqlite) ?? sql}`,
    ]),
  );
}

/** The name may be of an untrusted archive. */
function describe(key: string): string {
  const [type = '', ...name] = key.split(' ');
  return `${type} ${name.join(' ').replaceAll(/\W/g, '?').slice(0, 60)}`;
}
