import type { Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import type { ErasuresTable } from '../storage/tables/erasures.ts';

/** An entry of the list of what is left to erase. */
export type Erasure = Selectable<ErasuresTable>;

/** Adds an entry, unless it is there already. */
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

/** The oldest entries of a kind after one, by their ids. */
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

/** Takes entries off the list. */
export async function deleteErasures(trx: Writer, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('erasures').where('id', 'in', ids).execute();
}
