import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';

type Trx = Transaction<Database>;

/** The rooms that somebody shares with a living partner. */
export async function findSharedRooms(
  trx: Trx,
  userId: string,
): Promise<{ chatroom: string; partnerId: string }[]> {
  return trx
    .selectFrom('chatroom_members as me')
    .innerJoin('chatroom_members as partner', 'partner.chatroom_id', 'me.chatroom_id')
    .select(['me.chatroom_id as chatroom', 'partner.user_id as partnerId'])
    .where('me.user_id', '=', userId)
    .whereRef('partner.user_id', '<>', 'me.user_id')
    .execute();
}

/** The files of somebody's uploads, sent or not. */
export async function findUploadedFiles(trx: Trx, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('media')
    .select('file')
    .where('owner_id', '=', userId)
    .execute();
  return rows.map((row) => row.file);
}

/** Removes the rooms that somebody is alone in, with all that is left in them. */
export async function deleteLonelyRooms(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('chatrooms')
    .where('id', 'in', (eb) =>
      eb.selectFrom('chatroom_members').select('chatroom_id').where('user_id', '=', userId),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('chatroom_members as other')
            .select('other.user_id')
            .whereRef('other.chatroom_id', '=', 'chatrooms.id')
            .where('other.user_id', '<>', userId),
        ),
      ),
    )
    .execute();
}

/**
 * Empties all of somebody's messages, each with a revision of its own in its room, so that whoever
 * was away learns of every one. A handful of statements, however many messages there are.
 */
export async function buryMessagesOf(trx: Trx, userId: string, now: number): Promise<void> {
  await sql`
    update messages
    set sender_id = null, content = '', media_id = null, client_id = null,
        rev = buried.rev, updated_at = ${now}, deleted_at = ${now}
    from (
      select message.id,
             room.last_rev
               + row_number() over (partition by message.chatroom_id order by message.seq) as rev
      from messages as message
      join chatrooms as room on room.id = message.chatroom_id
      where message.sender_id = ${userId} and message.deleted_at is null
    ) as buried
    where messages.id = buried.id
  `.execute(trx);
  // What was deleted before has been told already.
  await trx
    .updateTable('messages')
    .set({ sender_id: null, client_id: null })
    .where('sender_id', '=', userId)
    .execute();
  await sql`
    update chatrooms
    set last_rev = max(last_rev, coalesce(
      (select max(rev) from messages where messages.chatroom_id = chatrooms.id), 0))
    where id in (select chatroom_id from chatroom_members where user_id = ${userId})
  `.execute(trx);
}

/** Removes the account. Its keys, sessions, memberships, uploads and waiting mails go with it. */
export async function deleteUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}
