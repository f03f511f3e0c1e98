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
    .unionAll(
      db
        .selectFrom('email_clashes')
        .innerJoin('users', 'users.id', 'email_clashes.user_id')
        .select('users.id')
        .where('email_clashes.email', '=', email)
        // A server of an earlier version, which may run beside this one, leaves the rows of deleted accounts.
        .where('users.ended_at', 'is', null),
    );
}

/**
 * Selects the ids of the accounts that hold a normalized email address, so that no other one can have it: those
 * that have it, and those that can be taken back to it.
 */
export function selectEmailHolders(db: Reader, email: string) {
  return selectMailboxAccounts(db, email).unionAll(
    db
      .selectFrom('former_emails')
      .select('user_id as id')
      .where('email', '=', email)
      .where('expires_at', '>', Date.now()),
  );
}
