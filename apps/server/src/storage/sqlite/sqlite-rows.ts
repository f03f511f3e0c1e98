import type SQLite from 'better-sqlite3';
import type { CopiedRow, RowSource, RowTarget } from '../copy-tables.ts';
import { columnList, type CopiedTable } from '../table-columns.ts';

/** Maximum number of rows in a batch. */
const BATCH_ROWS = 1_000;
/** Number of characters and bytes after which a batch ends. */
const BATCH_SIZE = 2 ** 20;

/** Creates a source of the rows of a database that no other connection changes. */
export function createSqliteRowSource(sqlite: SQLite.Database): RowSource {
  return {
    count: async (table) => countRows(sqlite, table),
    async *read(table) {
      const select = sqlite.prepare(`select ${columnList(table)} from ${table.name}`).raw();
      let batch: CopiedRow[] = [];
      let size = 0;
      for (const row of select.iterate() as Iterable<CopiedRow>) {
        batch.push(row);
        size += row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
        if (batch.length < BATCH_ROWS && size < BATCH_SIZE) continue;
        yield batch;
        batch = [];
        size = 0;
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/** Creates a target that inserts rows into a migrated database. */
export function createSqliteRowTarget(sqlite: SQLite.Database): RowTarget {
  return {
    count: async (table) => countRows(sqlite, table),
    clear: async ({ name }) => void sqlite.exec(`delete from ${name}`),
    async insert(table, rows) {
      const values = table.columns.map(() => '?').join(', ');
      const insert = sqlite.prepare(
        `insert into ${table.name} (${columnList(table)}) values (${values})`,
      );
      sqlite.transaction(() => {
        for (const row of rows) insert.run(row);
      })();
    },
  };
}

function countRows(sqlite: SQLite.Database, { name }: CopiedTable): number {
  return Number(sqlite.prepare(`select count(*) from ${name}`).pluck().get());
}

function sizeOf(value: CopiedRow[number]): number {
  return value === null || typeof value === 'number' ? 0 : value.length;
}
