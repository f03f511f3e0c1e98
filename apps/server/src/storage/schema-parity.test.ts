import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialSettings } from '@parley/contract/schemas';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toSettingColumns } from '../accounts/setting-columns.ts';
import { createDataFolder } from '../../test/create-data-folder.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { listTables } from '../../test/table-dump.ts';
import { acquireTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { databaseFile } from './open.ts';
import { createPool } from './postgres/postgres-connection.ts';
import { COPIED_TABLES } from './table-columns.ts';

/** What both engines tell about a table, in a form that can be compared. */
interface TableShape {
  columns: Record<string, { kind: string; isNullable: boolean; default: string | undefined }>;
  primaryKey: string[];
  /** Unique constraints and indexes besides the primary key, as sorted lists of their columns. */
  unique: string[];
  indexes: string[];
  foreignKeys: string[];
}

type Shapes = Record<string, TableShape>;

let folder: string;
let sqlite: SQLite.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-parity-'));
  await createDataFolder(folder);
  sqlite = new SQLite(databaseFile(folder));
});
afterAll(() => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every table and column of the schema is copied between engines', () => {
  const kinds = Object.entries(sqliteShapes()).map(([name, { columns }]) => [
    name,
    Object.fromEntries(Object.entries(columns).map(([column, { kind }]) => [column, kind])),
  ]);
  const copied = COPIED_TABLES.map(({ name, columns }) => [
    name,
    Object.fromEntries(columns.map((column) => [column.name, column.kind])),
  ]);
  expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(kinds));
});

test('the columns of settings have the initial values of new accounts as defaults', () => {
  const { columns } = sqliteShapes()['users'] ?? expect.fail('there is no table of users');
  // The seed's columns have no default, as each account is inserted with them.
  const { language: _language, volume: _volume, ...stored } = toSettingColumns(initialSettings());
  for (const [name, value] of Object.entries(stored)) {
    const initial = typeof value === 'string' ? `'${value}'` : String(value);
    expect({ [name]: columns[name] }).toMatchObject({ [name]: { default: initial } });
  }
});

test('tables are copied after those that they reference', () => {
  const names = COPIED_TABLES.map(({ name }) => name);
  for (const [name, { foreignKeys }] of Object.entries(sqliteShapes())) {
    for (const key of foreignKeys) {
      const [, parent = ''] = /-> (\w+)/.exec(key) ?? [];
      expect(names.indexOf(name), key).toBeGreaterThan(names.indexOf(parent));
    }
  }
});

describe.skipIf(!IS_ON_POSTGRES)('on PostgreSQL', () => {
  let database: TestDatabase | undefined;
  let shapes: Shapes;
  beforeAll(async () => {
    database = await acquireTestDatabase();
    shapes = await postgresShapes(database?.url ?? '');
  });
  afterAll(() => database?.release());

  test('the schema has the tables, columns, keys and indexes of SQLite', () => {
    expect(shapes).toEqual(sqliteShapes());
  });

  test('tables with personal texts are vacuumed soon after each change', async () => {
    const tables = await select<{ name: string }>(
      database?.url ?? '',
      `select relname as name from pg_class
       where reloptions @> '{autovacuum_vacuum_scale_factor=0,autovacuum_vacuum_threshold=0}'
       order by relname`,
    );
    expect(tables.map(({ name }) => name).filter((name) => !name.startsWith('pg_toast'))).toEqual([
      'email_changes',
      'former_emails',
      'media',
      'messages',
      'notification_settings',
      'outgoing_mails',
      'push_subscriptions',
      'reactions',
      'registrations',
      'report_file_parts',
      'report_messages',
      'reports',
      'search_blocks',
      'search_trigrams',
      'sessions',
      'username_skeletons',
      'users',
    ]);
  });

  test('texts are compared by their bytes, as on SQLite', async () => {
    const collations = await select<{ collation: string | null }>(
      database?.url ?? '',
      `select distinct collation_name as collation from information_schema.columns
       where table_schema = 'public' and data_type = 'text' and table_name not like 'kysely%'`,
    );
    expect(collations).toEqual([{ collation: 'C' }]);
  });
});

function sqliteShapes(): Shapes {
  return Object.fromEntries(listTables(sqlite).map((name) => [name, sqliteShape(name)]));
}

function sqliteShape(table: string): TableShape {
  const columns = sqlite.pragma(`table_info(${table})`) as {
    name: string;
    type: string;
    notnull: 0 | 1;
    dflt_value: string | null;
    pk: number;
  }[];
  const indexes = (
    sqlite.pragma(`index_list(${table})`) as {
      name: string;
      unique: 0 | 1;
      origin: 'c' | 'u' | 'pk';
      partial: 0 | 1;
    }[]
  ).map((index) => ({
    origin: index.origin,
    name: index.name,
    unique: index.unique,
    partial: index.partial,
    columns: (sqlite.pragma(`index_info(${index.name})`) as { name: string }[]).map(
      ({ name }) => name,
    ),
  }));
  const foreignKeys = sqlite.pragma(`foreign_key_list(${table})`) as {
    table: string;
    from: string;
    to: string;
    on_delete: string;
  }[];
  const describeIndex = (index: (typeof indexes)[number]) =>
    index.columns.join(', ') + (index.partial === 1 ? ' (partial)' : '');
  return {
    columns: Object.fromEntries(
      columns.map(({ name, type, notnull, dflt_value, pk }) => [
        name,
        {
          kind: type.toLowerCase(),
          // Columns of a primary key are never null.
          isNullable: notnull === 0 && pk === 0,
          default: dflt_value ?? undefined,
        },
      ]),
    ),
    primaryKey: columns
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk)
      .map(({ name }) => name),
    unique: indexes
      .filter(({ unique, origin }) => unique === 1 && origin !== 'pk')
      .map(describeIndex)
      .toSorted(),
    indexes: indexes
      .filter(({ unique }) => unique === 0)
      .map((index) => `${index.name}: ${describeIndex(index)}`)
      .toSorted(),
    foreignKeys: foreignKeys
      .map((key) => `${key.from} -> ${key.table}.${key.to} ${key.on_delete.toLowerCase()}`)
      .toSorted(),
  };
}

const KINDS: Readonly<Record<string, string>> = { bigint: 'integer', text: 'text', bytea: 'blob' };

const ON_DELETE: Readonly<Record<string, string>> = { c: 'cascade', n: 'set null', a: 'no action' };

/** Returns the shapes of all tables but unlogged ones, which contain nothing to keep. */
async function postgresShapes(url: string): Promise<Shapes> {
  const tables = await select<{ name: string }>(
    url,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
     and relname not like 'kysely_%'`,
  );
  const columns = await select<{
    table: string;
    name: string;
    type: string;
    nullable: 'YES' | 'NO';
    default: string | null;
  }>(
    url,
    `select table_name as table, column_name as name, data_type as type,
       is_nullable as nullable, column_default as default
     from information_schema.columns where table_schema = 'public'`,
  );
  const indexes = await select<{
    table: string;
    name: string;
    columns: string[];
    isUnique: boolean;
    isPrimary: boolean;
    isPartial: boolean;
  }>(
    url,
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name,
       array(
         select attname::text from unnest(indkey::smallint[]) with ordinality as part (number, position)
         join pg_attribute on attrelid = indrelid and attnum = number order by position
       ) as columns,
       indisunique as "isUnique", indisprimary as "isPrimary", indpred is not null as "isPartial"
     from pg_index join pg_class on pg_class.oid = indexrelid
     where relnamespace = 'public'::regnamespace`,
  );
  const foreignKeys = await select<{
    table: string;
    column: string;
    parent: string;
    to: string;
    onDelete: string;
  }>(
    url,
    `select conrelid::regclass::text as table, child.attname as column,
       confrelid::regclass::text as parent, target.attname as to, confdeltype as "onDelete"
     from pg_constraint
     join pg_attribute child on child.attrelid = conrelid and child.attnum = conkey[1]
     join pg_attribute target on target.attrelid = confrelid and target.attnum = confkey[1]
     where contype = 'f'`,
  );
  const describeIndex = (index: (typeof indexes)[number]) =>
    index.columns.join(', ') + (index.isPartial ? ' (partial)' : '');
  return Object.fromEntries(
    tables.map(({ name }): [string, TableShape] => {
      const own = indexes.filter(({ table }) => table === name);
      return [
        name,
        {
          columns: Object.fromEntries(
            columns
              .filter(({ table }) => table === name)
              .map((column) => [
                column.name,
                {
                  kind: KINDS[column.type] ?? column.type,
                  isNullable: column.nullable === 'YES',
                  default: column.default?.replace(/::\w+$/, ''),
                },
              ]),
          ),
          primaryKey: own.find(({ isPrimary }) => isPrimary)?.columns ?? [],
          unique: own
            .filter(({ isUnique, isPrimary }) => isUnique && !isPrimary)
            .map(describeIndex)
            .toSorted(),
          indexes: own
            .filter(({ isUnique }) => !isUnique)
            .map((index) => `${index.name}: ${describeIndex(index)}`)
            .toSorted(),
          foreignKeys: foreignKeys
            .filter(({ table }) => table === name)
            .map((key) => `${key.column} -> ${key.parent}.${key.to} ${ON_DELETE[key.onDelete]}`)
            .toSorted(),
        },
      ];
    }),
  );
}

async function select<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const pool = createPool(url, 1);
  try {
    return (await pool.query<Row>(sql)).rows;
  } finally {
    await pool.end();
  }
}
