import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';

/** A room that somebody is about to leave. */
export interface LeftRoom {
  id: string;
  /** Null if nobody else is left in it. */
  partner_id: string | null;
}

/** The rooms of a member, with who stays. */
export function listLeftRooms(trx: Transaction<Database>, userId: string): Promise<LeftRoom[]> {
  return trx
    .selectFrom('chatroom_members as me')
    .leftJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'me.chatroom_id')
        .onRef('partner.user_id', '<>', 'me.user_id'),
    )
    .select(['me.chatroom_id as id', 'partner.user_id as partner_id'])
    .where('me.user_id', '=', userId)
    .execute();
}

/**
 * Empties all messages of a sender. Each gets a revision of its own, after those of its room and in
 * the order of `seq`, so that catching up tells of it.
 */
export async function buryMessagesOf(
  trx: Transaction<Database>,
  userId: string,
  now: number,
): Promise<void> {
  // Materialised, as revisions and rows change under it.
  await sql`
    with buried as materialized (
      select message.id, room.last_rev + row_number() over (
        partition by message.chatroom_id order by message.seq
      ) as rev
      from messages as message
      join chatrooms as room on room.id = message.chatroom_id
      where message.sender_id = ${userId} and message.deleted_at is null
    )
    update messages
    set content = '', media_id = null, client_id = null, rev = buried.rev, updated_at = ${now}, deleted_at = ${now}
    from buried
    where messages.id = buried.id
  `.execute(trx);
  await sql`
    update chatrooms
    set last_rev = (select max(rev) from messages where chatroom_id = chatrooms.id)
    where id in (select chatroom_id from chatroom_members where user_id = ${userId})
      and last_seq > 0
  `.execute(trx);
}

/** Removes the rooms of a member in which nobody else is left, and all that was in them. */
export async function deleteRoomsOnlyOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`
    delete from chatrooms
    where id in (select chatroom_id from chatroom_members where user_id = ${userId})
      and not exists (
        select 1 from chatroom_members
        where chatroom_id = chatrooms.id and user_id <> ${userId}
      )
  `.execute(trx);
}
