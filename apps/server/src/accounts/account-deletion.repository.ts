import type { Reader, Writer } from '../storage/storage.ts';

/** The chatrooms that an account shares with a partner who is not deleted. */
export async function findSharedChatrooms(
  trx: Reader,
  userId: string,
): Promise<{ chatroom: string; partnerId: string }[]> {
  return trx
    .selectFrom('chatroom_members as me')
    .innerJoin('chatroom_members as partner', 'partner.chatroom_id', 'me.chatroom_id')
    .innerJoin('users as partner_user', 'partner_user.id', 'partner.user_id')
    .select(['me.chatroom_id as chatroom', 'partner.user_id as partnerId'])
    .where('me.user_id', '=', userId)
    .whereRef('partner.user_id', '<>', 'me.user_id')
    .where('partner_user.ended_at', 'is', null)
    .execute();
}

/**
 * Takes name, address and password off an account and marks it as ended, which hides all that it
 * sent. Returns the address that it had; undefined if the account does not exist or has ended.
 */
export async function endUser(
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
  // Both have to be unique, and no name or address has a colon.
  const placeholder = `ended:${userId}`;
  await trx
    .updateTable('users')
    .set({
      username: '',
      username_key: placeholder,
      email: placeholder,
      password_hash: '',
      verified_at: null,
      ended_at: now,
    })
    .where('id', '=', userId)
    .execute();
  return user.email;
}

/** Deletes an account's keys, waiting mails, count of messages and skeletons: a few rows. */
export async function deleteSmallRows(trx: Writer, userId: string): Promise<void> {
  for (const table of [
    'account_keys',
    'outgoing_mails',
    'message_counts',
    'username_skeletons',
  ] as const) {
    await trx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}
