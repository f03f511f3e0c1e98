import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';

/** Writes the one row of the readiness check; `at` is the time in UTC milliseconds. */
export async function writeHeartbeat(db: Kysely<Database>, at: number): Promise<void> {
  await db
    .insertInto('heartbeat')
    .values({ id: 1, at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
    .execute();
}
