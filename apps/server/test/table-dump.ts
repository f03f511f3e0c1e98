import { createHash } from 'node:crypto';
import SQLite from 'better-sqlite3';
import { createPool } from '../src/storage/postgres/postgres-connection.ts';

/** The number of rows of each table and a checksum of their values. */
export type TableDump = Record<string, { rows: number; sum: string }>;

/** Summarizes all tables of a SQLite file. */
export function dumpSqlite(file: string): TableDump {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    return summarize(
      listTables(sqlite).map((name) => [name, sqlite.prepare(`select * from ${name}`).all()]),
    );
  } finally {
    sqlite.close();
  }
}

/** Returns the names of all tables of a SQLite database, except for those of migrations. */
export function listTables(sqlite: SQLite.Database): string[] {
  return sqlite
    .prepare<[], string>(
      `select name from sqlite_master
       where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'`,
    )
    .pluck()
    .all();
}

/**
 * Summarizes all tables of a PostgreSQL database, except unlogged ones, which no backup contains.
 */
export async function dumpPostgres(url: string): Promise<TableDump> {
  const pool = createPool(url, 1);
  try {
    const names = await pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relpersistence = 'p' and relname not like 'kysely_%'`,
    );
    const tables: [string, unknown[]][] = [];
    for (const { relname } of names.rows) {
      tables.push([relname, (await pool.query(`select * from ${relname}`)).rows]);
    }
    return summarize(tables);
  } finally {
    await pool.end();
  }
}

function summarize(tables: readonly [name: string, rows: unknown[]][]): TableDump {
  return Object.fromEntries(
    tables
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, rows]) => {
        const lines = rows.map((row) => toLine(row as Record<string, unknown>)).toSorted();
        const sum = createHash('sha256').update(lines.join('\n')).digest('hex');
        return [name, { rows: rows.length, sum }];
      }),
  );
}

function toLine(row: Record<string, unknown>): string {
  const columns = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(columns);
}
