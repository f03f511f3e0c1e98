import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { ErasuresTable } from '../storage/tables/erasures.table.ts';

/** An entry of the erasure queue. */
export type Erasure = Selectable<ErasuresTable>;

/** Adds an entry to the queue unless it already exists. */
export async function queueErasure(
  trx: Writer,
  kind: ErasuresTable['kind'],
  subject: string,
): Promise<void> {
  await trx
    .insertInto('erasures')
    .values({ kind, subject })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Finds the oldest entries of a kind after an id. */
export async function findErasures(
  db: Reader,
  kind: ErasuresTable['kind'],
  afterId: number,
  limit: number,
): Promise<Erasure[]> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Removes entries from the queue. */
export async function deleteErasures(trx: Writer, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('erasures').where('id', 'in', ids).execute();
}
