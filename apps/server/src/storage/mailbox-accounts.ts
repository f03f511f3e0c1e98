import type { Reader } from './storage.ts';

/**
 * Selects the ids of the accounts with a normalized email address: one or none, except that earlier versions
 * stored some addresses in several forms and therefore allowed several accounts.
 */
export function selectMailboxAccounts(db: Reader, email: string) {
  return db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .unionAll(db.selectFrom('email_clashes').select('user_id as id').where('email', '=', email));
}
