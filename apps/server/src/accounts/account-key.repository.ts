import type { Selectable } from 'kysely';
import type { Writer } from '../storage/storage.ts';
import type { AccountKeysTable } from '../storage/tables/users.table.ts';
type Purpose = AccountKeysTable['purpose'];
type KeyRow = Selectable<AccountKeysTable>;

/** Stores a key. It replaces an earlier key of the same account and purpose. */
export async function upsertKey(trx: Writer, key: KeyRow): Promise<void> {
  const { hash, expires_at, tries_left } = key;
  await trx
    .insertInto('account_keys')
    .values(key)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'purpose']).doUpdateSet({ hash, expires_at, tries_left }),
    )
    .execute();
}

/**
 * Consumes an attempt and returns the hash to compare with, or undefined if there is no valid key
 * with attempts left. Consuming the attempt before the comparison makes parallel guesses count as
 * well.
 */
export async function consumeAttempt(
  trx: Writer,
  userId: string,
  purpose: Purpose,
  now: number,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('account_keys')
    .set((set) => ({ tries_left: set('tries_left', '-', 1) }))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('tries_left', '>', 0)
    .returning('hash')
    .executeTakeFirst();
  return row?.hash;
}

/**
 * Deletes a key to use it. Returns false if it has been used, replaced or has expired in the
 * meantime.
 */
export async function consumeKey(
  trx: Writer,
  userId: string,
  purpose: Purpose,
  hash: string,
  now: number,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('account_keys')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes the key of an account for a purpose, if there is one. */
export async function deleteKey(trx: Writer, userId: string, purpose: Purpose): Promise<void> {
  await trx
    .deleteFrom('account_keys')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}
