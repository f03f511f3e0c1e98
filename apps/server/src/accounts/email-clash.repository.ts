import type { Reader } from '../storage/storage.ts';

/**
 * Finds the accounts that share a mailbox, because earlier versions stored its address in several forms.
 * Returns the usernames of each mailbox, that of the account with the address in today's form first.
 */
export async function findSharedMailboxes(db: Reader): Promise<string[][]> {
  const clashes = await db
    .selectFrom('email_clashes')
    .innerJoin('users', 'users.id', 'email_clashes.user_id')
    .leftJoin('users as first', 'first.email', 'email_clashes.email')
    .select(['email_clashes.email', 'users.username', 'first.username as first'])
    .where('users.ended_at', 'is', null)
    .orderBy('users.created_at')
    .execute();
  const mailboxes = new Map<string, string[]>();
  for (const { email, username, first } of clashes) {
    const usernames = mailboxes.get(email) ?? (first === null ? [] : [first]);
    mailboxes.set(email, [...usernames, username]);
  }
  return [...mailboxes.values()].filter((usernames) => usernames.length > 1);
}
