import { sql, type RawBuilder } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { Tables } from '../storage/tables/index.ts';

/** A column with a time in UTC milliseconds. */
export type TimeColumn = {
  [Table in keyof Tables]: readonly [Table, keyof Tables[Table] & string];
}[keyof Tables];

/** What replaces times in a column that are later than a limit. */
export interface Correction {
  readonly column: TimeColumn;
  readonly limit: number;
  readonly to: number;
  /** Another column with a time, which changes by as much, or to the same time. */
  readonly also?: { readonly column: string; readonly isShifted: boolean };
}

/** Returns whether a correction changes a row. */
export async function isNeeded(db: Reader, correction: Correction): Promise<boolean> {
  const found = await db
    .selectFrom(sql.table(correction.column[0]).as('checked'))
    .select(sql.lit(1).as('found'))
    .where(isTooLate(correction))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Corrects the rows that need it. Returns their number. */
export async function correct(trx: Writer, correction: Correction): Promise<number> {
  const { column, to, also } = correction;
  const name = sql.ref(column[1]);
  const shifted = also && sql`${sql.ref(also.column)} - (${name} - ${to})`;
  const others =
    also === undefined ? sql`` : sql`, ${sql.ref(also.column)} = ${also.isShifted ? shifted : to}`;
  const { numAffectedRows } = await sql`
    update ${sql.table(column[0])} set ${name} = ${to}${others} where ${isTooLate(correction)}`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

function isTooLate({ column, limit }: Correction): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column[1])} > ${limit}`;
}
