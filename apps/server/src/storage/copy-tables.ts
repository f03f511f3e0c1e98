import { DatabaseCopyError } from './storage-errors.ts';
import type { OnRowsCopied } from './maintenance.ts';
import { COPIED_TABLES, type CopiedTable } from './table-columns.ts';

/** The values of a row, in the order of the table's columns. */
export type CopiedRow = readonly (string | number | Uint8Array | null)[];

/** A consistent state of a database from which rows are copied. */
export interface RowSource {
  count(table: CopiedTable): Promise<number>;
  /** Yields all rows in batches that fit in memory. */
  read(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>;
}

/** A database to which rows are copied. */
export interface RowTarget {
  count(table: CopiedTable): Promise<number>;
  /** Deletes the rows of a table. */
  clear(table: CopiedTable): Promise<void>;
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
}

/**
 * Copies all rows of all tables, with little memory. The tables of the target have no rows except
 * those that the migrations and triggers insert, which are replaced.
 * @throws {DatabaseCopyError} if the target then has another number of rows.
 */
export async function copyTables(
  source: RowSource,
  target: RowTarget,
  onRowsCopied: OnRowsCopied = () => undefined,
): Promise<void> {
  const counts = new Map<CopiedTable, number>();
  for (const table of COPIED_TABLES) counts.set(table, await source.count(table));
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const [table, expected] of counts) {
    await target.clear(table);
    for await (const rows of source.read(table)) {
      await target.insert(table, rows);
      done += rows.length;
      onRowsCopied(done, total);
    }
    const copied = await target.count(table);
    if (copied !== expected) {
      throw new DatabaseCopyError(
        `Only ${copied} of ${expected} rows of the table ${table.name} could be copied. Nothing was changed.`,
      );
    }
  }
}
