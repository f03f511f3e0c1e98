import { toLanguage, type Language } from '@parley/texts';
import type { Reader, Writer } from '../storage/storage.ts';
import { newId } from '../storage/ids.ts';
import type { MailPurpose } from '../storage/tables/outgoing-mails.table.ts';

/** A queued mail with its recipient. */
export interface PendingMail {
  id: string;
  user_id: string;
  purpose: MailPurpose;
  key: string | null;
  attempts: number;
  email: string;
  username: string;
  language: Language;
}

/** Queues a mail. It replaces an earlier one with the same recipient and purpose. */
export async function insertMail(
  trx: Writer,
  mail: {
    userId: string;
    purpose: MailPurpose;
    key: string | null;
    now: number;
    expiresAt: number;
  },
): Promise<void> {
  await trx
    .deleteFrom('outgoing_mails')
    .where('user_id', '=', mail.userId)
    .where('purpose', '=', mail.purpose)
    .execute();
  await trx
    .insertInto('outgoing_mails')
    .values({
      id: newId(),
      user_id: mail.userId,
      purpose: mail.purpose,
      key: mail.key,
      attempts: 0,
      next_attempt_at: mail.now,
      expires_at: mail.expiresAt,
      created_at: mail.now,
    })
    .execute();
}

/** Finds mails that are due, those due earliest first. */
export async function findDueMails(db: Reader, now: number, limit: number): Promise<PendingMail[]> {
  const mails = await db
    .selectFrom('outgoing_mails as mail')
    .innerJoin('users', 'users.id', 'mail.user_id')
    .select([
      'mail.id',
      'mail.user_id',
      'mail.purpose',
      'mail.key',
      'mail.attempts',
      'users.email',
      'users.username',
      'users.language',
    ])
    .where('mail.next_attempt_at', '<=', now)
    .where('mail.expires_at', '>', now)
    .orderBy('mail.next_attempt_at')
    .limit(limit)
    .execute();
  return mails.map((mail) => Object.assign(mail, { language: toLanguage(mail.language) }));
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
