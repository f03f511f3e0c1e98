import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';

/** Whether the session with a public id exists and has not expired. */
export async function isSessionLive(db: Kysely<Database>, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  return row !== undefined;
}
