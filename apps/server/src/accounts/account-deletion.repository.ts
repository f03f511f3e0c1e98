import { sql } from 'kysely';
import { selectEmailHolders } from '../storage/mailbox-accounts.ts';
import type { Writer } from '../storage/storage.ts';
import { isTakenOutOfArchive } from '../storage/visibility.ts';

/**
 * Keeps chats out of the archive of their members that messages of an account took out of it. Must precede
 * the erasure of these messages.
 */
export async function keepUnarchived(trx: Writer, userId: string): Promise<void> {
  await trx
    .updateTable('chatroom_members')
    .set({ archived_seq: null })
    .where('archived_seq', 'is not', null)
    .where('user_id', '<>', userId)
    .where('chatroom_id', 'in', (eb) =>
      eb
        .selectFrom('chatroom_members as me')
        .select('me.chatroom_id')
        .where('me.user_id', '=', userId),
    )
    .where(isTakenOutOfArchive('chatroom_members', sql`${userId}`))
    .execute();
}

/**
 * Removes the username, email address and password of an account and marks it as ended, which hides
 * all of its messages. Returns the email address, or undefined if the account does not exist or has
 * ended.
 */
export async function anonymizeUser(
  trx: Writer,
  userId: string,
  now: number,
): Promise<string | undefined> {
  const user = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  // Both columns are unique, and neither usernames nor email addresses contain a colon.
  const placeholder = `ended:${userId}`;
  await trx
    .updateTable('users')
    .set({
      username: '',
      username_key: placeholder,
      email: placeholder,
      password_hash: '',
      verified_at: null,
      last_seen_at: null,
      ended_at: now,
    })
    .where('id', '=', userId)
    .execute();
  await passOnEmail(trx, user.email);
  return user.email;
}

/** Finds the addresses that an account had or wants to change to, except for those that others hold. */
export async function findOtherEmails(trx: Writer, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('former_emails')
    .select('email')
    .where('user_id', '=', userId)
    .union(trx.selectFrom('email_changes').select('email').where('user_id', '=', userId))
    .execute();
  const emails: string[] = [];
  for (const { email } of rows) {
    const holder = await trx
      .selectFrom(selectEmailHolders(trx, email).as('holder'))
      .select('id')
      .where('id', '<>', userId)
      .executeTakeFirst();
    if (holder === undefined) emails.push(email);
  }
  return emails;
}

/** Gives the address of a deleted account to the next account that was stored with the same mailbox, if any. */
async function passOnEmail(trx: Writer, email: string): Promise<void> {
  const next = await trx
    .selectFrom('email_clashes')
    .innerJoin('users', 'users.id', 'email_clashes.user_id')
    .select('email_clashes.user_id')
    .where('email_clashes.email', '=', email)
    .where('users.ended_at', 'is', null)
    .orderBy('email_clashes.user_id')
    .executeTakeFirst();
  if (next === undefined) return;
  await trx.updateTable('users').set({ email }).where('id', '=', next.user_id).execute();
  await trx.deleteFrom('email_clashes').where('user_id', '=', next.user_id).execute();
}

/**
 * Deletes the keys, queued mails, message counts, username skeletons, email clashes, other email addresses and
 * invitations of an account, and whom it invited.
 */
export async function deleteDependentRows(trx: Writer, userId: string): Promise<void> {
  for (const table of [
    'account_keys',
    'outgoing_mails',
    'message_counts',
    'request_counts',
    'username_skeletons',
    'email_clashes',
    'email_changes',
    'former_emails',
  ] as const) {
    await trx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  await trx.deleteFrom('invitations').where('inviter_id', '=', userId).execute();
  await trx
    .updateTable('registrations')
    .set({ inviter_id: null })
    .where('inviter_id', '=', userId)
    .execute();
}

/** Deletes the exports of an account. Returns their files. */
export async function deleteExportRows(trx: Writer, userId: string): Promise<string[]> {
  const rows = await trx
    .deleteFrom('exports')
    .where('user_id', '=', userId)
    .returning('file')
    .execute();
  return rows.flatMap(({ file }) => file ?? []);
}
