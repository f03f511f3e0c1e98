import type pg from 'pg';
import type { CopiedRow, RowSource, RowTarget } from '../copy-tables.ts';
import { columnList, type CopiedTable } from '../table-columns.ts';
import { query, withoutNull } from './postgres-connection.ts';

/** Number of rows that are fetched at once. */
const FETCH_ROWS = 500;

const ARRAY_TYPE = { text: 'text[]', integer: 'bigint[]', blob: 'bytea[]' } as const;

/**
 * Creates a source of the rows of a database as of the snapshot of the connection's transaction.
 */
export function createPostgresRowSource(client: pg.ClientBase): RowSource {
  return {
    count: (table) => countRows(client, table),
    async *read(table) {
      const select = `select ${columnList(table)} from ${table.name}`;
      await query(client, `declare copied_rows no scroll cursor for ${select}`);
      const fetch = { text: `fetch ${FETCH_ROWS} from copied_rows`, rowMode: 'array' };
      for (;;) {
        const { rows } = await query(client, fetch);
        if (rows.length === 0) break;
        yield rows as unknown as CopiedRow[];
      }
      await query(client, 'close copied_rows');
    },
  };
}

/** Creates a target that inserts rows into a migrated database, in the connection's transaction. */
export function createPostgresRowTarget(client: pg.ClientBase): RowTarget {
  return {
    count: (table) => countRows(client, table),
    clear: async ({ name }) => void (await query(client, `delete from ${name}`)),
    async insert(table, rows) {
      const arrays = table.columns.map(({ kind }, i) => `$${i + 1}::${ARRAY_TYPE[kind]}`);
      await query(client, {
        text:
          `insert into ${table.name} (${columnList(table)}) ` +
          `select * from unnest(${arrays.join(', ')})`,
        values: table.columns.map((_, i) => rows.map((row) => withoutNull(row[i]))),
      });
    },
  };
}

async function countRows(client: pg.ClientBase, { name }: CopiedTable): Promise<number> {
  const { rows } = await query<{ count: number }>(client, `select count(*) as count from ${name}`);
  return rows[0]?.count ?? 0;
}
