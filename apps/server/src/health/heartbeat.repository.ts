import type { Writer } from '../storage/storage.ts';

/** Writes the single row of the readiness check. `at` is in UTC milliseconds. */
export async function writeHeartbeat(trx: Writer, at: number): Promise<void> {
  await trx
    .insertInto('heartbeat')
    .values({ id: 1, at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
    .execute();
}
