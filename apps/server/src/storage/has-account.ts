import type { Reader } from './storage.ts';

/** Returns whether the account exists and has not been deleted. */
export async function hasAccount(db: Reader, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
