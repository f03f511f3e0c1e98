import type { Writer } from '../storage/storage.ts';

/** Writes the one row of the readiness check; `at` is the time in UTC milliseconds. */
export async function writeHeartbeat(trx: Writer, at: number): Promise<void> {
  await trx
    .insertInto('heartbeat')
    .values({ id: 1, at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
    .execute();
}
