import { toLanguage, type Language } from '@parley/texts';
import type { Reader, Writer } from '../storage/storage.ts';
import { hasAccount } from '../storage/has-account.ts';
import { newId } from '../storage/ids.ts';
import type { MailPurpose } from '../storage/tables/outgoing-mails.table.ts';

/** The account or registration that receives a mail. */
export type MailRecipient = { userId: string } | { registrationId: string };

/** A queued mail with its recipient. */
export interface QueuedMail {
  id: string;
  /** Id of the account or the registration. */
  recipient_id: string;
  purpose: MailPurpose;
  key: string | null;
  attempts: number;
  email: string;
  username: string;
  language: Language;
}

/** Queues a mail. It replaces an earlier one with the same recipient, purpose and address. */
export async function insertMail(
  trx: Writer,
  mail: MailRecipient & {
    purpose: MailPurpose;
    /** Where it goes; null for the address that the recipient has when it is sent. */
    email: string | null;
    key: string | null;
    now: number;
    expiresAt: number;
  },
): Promise<void> {
  const recipient =
    'userId' in mail
      ? ({ column: 'user_id', id: mail.userId } as const)
      : ({ column: 'registration_id', id: mail.registrationId } as const);
  await trx
    .deleteFrom('outgoing_mails')
    .where(recipient.column, '=', recipient.id)
    .where('purpose', '=', mail.purpose)
    .where('email', mail.email === null ? 'is' : '=', mail.email)
    .execute();
  await trx
    .insertInto('outgoing_mails')
    .values({
      id: newId(),
      user_id: null,
      registration_id: null,
      [recipient.column]: recipient.id,
      email: mail.email,
      purpose: mail.purpose,
      key: mail.key,
      attempts: 0,
      next_attempt_at: mail.now,
      expires_at: mail.expiresAt,
      created_at: mail.now,
    })
    .execute();
}

/**
 * Keeps the queued mails of a registration that has become an account with the same id, since one of them
 * may be being delivered.
 */
export async function readdressMails(trx: Writer, registrationId: string): Promise<void> {
  await trx
    .updateTable('outgoing_mails')
    .set({ user_id: registrationId, registration_id: null })
    .where('registration_id', '=', registrationId)
    .execute();
}

/** Lets the queued mails of an account without an address of their own go to `email`. */
export async function setMailAddress(trx: Writer, userId: string, email: string): Promise<void> {
  await trx
    .updateTable('outgoing_mails')
    .set({ email })
    .where('user_id', '=', userId)
    .where('email', 'is', null)
    .execute();
}

/** Deletes the queued mails of an account for some purposes. */
export async function deleteMailsFor(
  trx: Writer,
  userId: string,
  purposes: readonly MailPurpose[],
): Promise<void> {
  await trx
    .deleteFrom('outgoing_mails')
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .execute();
}

/** Finds mails that are due, those due earliest first. */
export async function findDueMails(db: Reader, now: number, limit: number): Promise<QueuedMail[]> {
  const mails = await db
    .selectFrom('outgoing_mails as mail')
    .leftJoin('users', 'users.id', 'mail.user_id')
    .leftJoin('registrations', 'registrations.id', 'mail.registration_id')
    .select(['mail.id', 'mail.purpose', 'mail.key', 'mail.attempts'])
    .select(({ fn }) => [
      fn.coalesce('users.id', 'registrations.id').$notNull().as('recipient_id'),
      fn.coalesce('mail.email', 'users.email', 'registrations.email').$notNull().as('email'),
      fn.coalesce('users.username', 'registrations.username').$notNull().as('username'),
      fn.coalesce('users.language', 'registrations.language').$notNull().as('language'),
    ])
    .where('mail.next_attempt_at', '<=', now)
    .where('mail.expires_at', '>', now)
    .orderBy('mail.next_attempt_at')
    .limit(limit)
    .execute();
  return mails.map((mail) => Object.assign(mail, { language: toLanguage(mail.language) }));
}

/** Returns whether an account or a registration has this id. */
export async function hasRecipient(db: Reader, id: string): Promise<boolean> {
  const registration = await db
    .selectFrom('registrations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return registration !== undefined || hasAccount(db, id);
}

/** Returns when the next mail is due in UTC milliseconds, or undefined if the queue is empty. */
export async function findNextAttempt(db: Reader): Promise<number | undefined> {
  const row = await db
    .selectFrom('outgoing_mails')
    .select('next_attempt_at')
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at;
}

/**
 * Claims those of the mails that are still due, by postponing them. Returns their ids. Only one of
 * several concurrent writes claims a mail.
 */
export async function claimMails(
  trx: Writer,
  ids: readonly string[],
  now: number,
  until: number,
): Promise<ReadonlySet<string>> {
  const claimed = await trx
    .updateTable('outgoing_mails')
    .set({ next_attempt_at: until })
    .where('id', 'in', ids)
    .where('next_attempt_at', '<=', now)
    .returning('id')
    .execute();
  return new Set(claimed.map(({ id }) => id));
}

/** Makes a claimed mail due again. */
export async function releaseMail(trx: Writer, id: string, now: number): Promise<void> {
  await trx
    .updateTable('outgoing_mails')
    .set({ next_attempt_at: now })
    .where('id', '=', id)
    .execute();
}

/** Records a failed attempt and schedules the next one. */
export async function postponeMail(trx: Writer, id: string, nextAttemptAt: number): Promise<void> {
  await trx
    .updateTable('outgoing_mails')
    .set((set) => ({
      attempts: set('attempts', '+', 1),
      next_attempt_at: nextAttemptAt,
    }))
    .where('id', '=', id)
    .execute();
}

/** Returns the number of queued mails. */
export async function countMails(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('outgoing_mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Deletes a mail from the queue. Returns whether it was there. */
export async function deleteMail(trx: Writer, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('outgoing_mails').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes expired mails. Returns their number. */
export async function deleteExpiredMails(trx: Writer, now: number): Promise<number> {
  const result = await trx
    .deleteFrom('outgoing_mails')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
