import { normalizeEmail, usernameKey } from '@parley/contract';
import { selectMailboxAccounts } from '../storage/mailbox-accounts.ts';
import type { Reader, Writer } from '../storage/storage.ts';

/** An account as operators see it. Times are in UTC milliseconds. */
export interface AccountRow {
  id: string;
  username: string;
  email: string;
  /** Null for a registration that is not verified yet. */
  verified_at: number | null;
  created_at: number;
  suspended_at: number | null;
  /** Null if the account has no session. */
  last_seen_at: number | null;
}

/** Returns all accounts, oldest first. */
export async function findAccounts(db: Reader): Promise<AccountRow[]> {
  return selectAccounts(db).orderBy('users.created_at').execute();
}

/** Finds the account with a username, or the accounts with an email address. */
export async function findAccountsByName(db: Reader, nameOrEmail: string): Promise<AccountRow[]> {
  const query = selectAccounts(db).orderBy('users.created_at');
  return nameOrEmail.includes('@')
    ? query
        .where('users.id', 'in', selectMailboxAccounts(db, normalizeEmail(nameOrEmail)))
        .execute()
    : query.where('users.username_key', '=', usernameKey(nameOrEmail)).execute();
}

/** Stores since when an account is suspended; null if it is not. */
export async function setSuspended(
  trx: Writer,
  userId: string,
  suspendedAt: number | null,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ suspended_at: suspendedAt })
    .where('id', '=', userId)
    .execute();
}

function selectAccounts(db: Reader) {
  const active = db.selectFrom('users').where('users.ended_at', 'is', null);
  return active.select((eb) => [
    'users.id',
    'users.username',
    'users.email',
    'users.verified_at',
    'users.created_at',
    'users.suspended_at',
    eb
      .selectFrom('sessions')
      .select((s) => s.fn.max('sessions.last_seen_at').as('last'))
      .whereRef('sessions.user_id', '=', 'users.id')
      .as('last_seen_at'),
  ]);
}
