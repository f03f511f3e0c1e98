import type { Insertable, Selectable } from 'kysely';
import { selectEmailHolders, selectMailboxAccounts } from '../storage/mailbox-accounts.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import type {
  EmailChangesTable,
  FormerEmailsTable,
} from '../storage/tables/email-changes.table.ts';

/** An address that an account had. */
export type FormerEmailRow = Selectable<FormerEmailsTable>;

/** Stores the address that a user wants to change to. It replaces an earlier one. */
export async function upsertEmailChange(
  trx: Writer,
  { user_id, ...change }: Insertable<EmailChangesTable>,
): Promise<void> {
  await trx
    .insertInto('email_changes')
    .values({ user_id, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}

/** Returns the address that a user wants to change to; undefined without one whose key is valid. */
export async function findNewEmail(db: Reader, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', userId)
    .where('key_expires_at', '>', Date.now())
    .executeTakeFirst();
  return row?.email;
}

/**
 * Consumes an attempt and returns the hash of the key to compare with, or undefined if the user does not want
 * to change to this address, the key has expired or no attempts are left.
 */
export async function consumeChangeAttempt(
  trx: Writer,
  userId: string,
  email: string,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('email_changes')
    .set((set) => ({ tries_left: set('tries_left', '-', 1) }))
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('key_expires_at', '>', Date.now())
    .where('tries_left', '>', 0)
    .returning('key_hash')
    .executeTakeFirst();
  return row?.key_hash;
}

/** Deletes the address that a user wants to change to. Returns whether there was one. */
export async function deleteEmailChange(trx: Writer, userId: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Returns whether an account has a normalized email address. */
export async function hasEmail(db: Reader, userId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom(selectMailboxAccounts(db, email).as('account'))
    .select('id')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds another account that has a normalized email address, or can be taken back to it. */
export async function findOtherHolder(
  db: Reader,
  userId: string,
  email: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(selectEmailHolders(db, email).as('holder'))
    .select('id')
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Gives an account a normalized email address. If another account has the mailbox, too, the account keeps
 * `storedEmail`, a form of the address of before there was a single one.
 */
export async function setEmail(
  trx: Writer,
  userId: string,
  email: string,
  storedEmail = email,
): Promise<void> {
  await trx.deleteFrom('email_clashes').where('user_id', '=', userId).execute();
  await trx.updateTable('users').set({ email: storedEmail }).where('id', '=', userId).execute();
  if (storedEmail === email) return;
  await trx.insertInto('email_clashes').values({ user_id: userId, email }).execute();
}

/** Returns whether an account other than `userId` is stored with exactly this address. */
export async function isStoredByOther(db: Reader, userId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the address that an account had until now, as the latest of its former ones. */
export async function insertFormerEmail(
  trx: Writer,
  former: Omit<FormerEmailRow, 'position'>,
): Promise<void> {
  const latest = await trx
    .selectFrom('former_emails')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('user_id', '=', former.user_id)
    .executeTakeFirst();
  await trx
    .insertInto('former_emails')
    .values({ ...former, position: (latest?.position ?? 0) + 1 })
    .execute();
}

/** Finds the former address of an account to which a key takes it back. */
export async function findFormerEmailByKey(
  db: Reader,
  keyHash: string,
): Promise<FormerEmailRow | undefined> {
  return db
    .selectFrom('former_emails')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
}

/** Finds an address among those to which an account can be taken back. */
export async function findFormerEmail(
  db: Reader,
  userId: string,
  email: string,
): Promise<FormerEmailRow | undefined> {
  return db
    .selectFrom('former_emails')
    .selectAll()
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('expires_at', '>', Date.now())
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the addresses to which an account can be taken back, the latest first. */
export async function listFormerEmails(
  db: Reader,
  userId: string,
): Promise<Pick<FormerEmailRow, 'email' | 'expires_at'>[]> {
  return db
    .selectFrom('former_emails')
    .select(['email', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', Date.now())
    .orderBy('position', 'desc')
    .execute();
}

/** Deletes the former addresses of an account from a position on, which are the later ones. */
export async function deleteFormerEmails(
  trx: Writer,
  userId: string,
  fromPosition = 0,
): Promise<void> {
  await trx
    .deleteFrom('former_emails')
    .where('user_id', '=', userId)
    .where('position', '>=', fromPosition)
    .execute();
}

/** Deletes the former and wanted addresses whose keys have expired. */
export async function deleteExpiredEmails(trx: Writer): Promise<void> {
  const now = Date.now();
  await trx.deleteFrom('email_changes').where('key_expires_at', '<=', now).execute();
  await trx.deleteFrom('former_emails').where('expires_at', '<=', now).execute();
}
