import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';

type Trx = Transaction<Database>;

/** A chatroom that an ended account is still a member of. */
export interface LeftChatroom {
  id: string;
  last_rev: number;
  last_seq: number;
  /** Whether the partner's account exists: 0 or 1. */
  has_partner: number;
}

/** The first chatroom that an ended account is still a member of. */
export async function findLeftChatroom(
  db: Kysely<Database>,
  userId: string,
): Promise<LeftChatroom | undefined> {
  return db
    .selectFrom('chatroom_members as me')
    .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
    .select((eb) => [
      'room.id',
      'room.last_rev',
      'room.last_seq',
      eb
        .exists(
          eb
            .selectFrom('chatroom_members as partner')
            .innerJoin('users', 'users.id', 'partner.user_id')
            .select('partner.user_id')
            .whereRef('partner.chatroom_id', '=', 'room.id')
            .where('users.ended_at', 'is', null),
        )
        .$castTo<number>()
        .as('has_partner'),
    ])
    .where('me.user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
}

/** A message to erase. */
export interface SentMessage {
  id: string;
  seq: number;
  deleted_at: number | null;
  /** Of its content. */
  bytes: number;
}

/** An account's messages in a chatroom after one `seq` and up to another, deleted ones included. */
export async function findSentMessages(
  trx: Trx,
  chatroomId: string,
  userId: string,
  afterSeq: number,
  lastSeq: number,
  limit: number,
): Promise<SentMessage[]> {
  return (
    trx
      .selectFrom('messages')
      .select(['id', 'seq', 'deleted_at', sql<number>`octet_length(content)`.as('bytes')])
      .where('chatroom_id', '=', chatroomId)
      // The plus keeps SQLite from the index by sender, which is not in the order of places.
      .where(sql<boolean>`+sender_id = ${userId}`)
      .where('seq', '>', afterSeq)
      .where('seq', '<=', lastSeq)
      .orderBy('seq')
      .limit(limit)
      .execute()
  );
}

/** Removes the sender from messages, by their ids. */
export async function detachMessages(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    update messages set sender_id = null, client_id = null
    where id in (select value from json_each(${JSON.stringify(ids)}))
  `.execute(trx);
}

/**
 * Empties messages, by their ids, each with a revision of its own after `lastRev`, so that clients that
 * were offline learn of every one. Returns the revision that the chatroom is at then.
 */
export async function softDeleteMessages(
  trx: Trx,
  chatroomId: string,
  ids: readonly string[],
  lastRev: number,
  now: number,
): Promise<number> {
  await sql`
    update messages
    set content = '', media_id = null, rev = ${lastRev} + 1 + item.key,
        updated_at = ${now}, deleted_at = ${now}
    from json_each(${JSON.stringify(ids)}) as item
    where messages.id = item.value
  `.execute(trx);
  const rev = lastRev + ids.length;
  await trx.updateTable('chatrooms').set({ last_rev: rev }).where('id', '=', chatroomId).execute();
  return rev;
}

/** The messages of a chatroom after one `seq`, the oldest first, with the size of their content in bytes. */
export async function findMessagesOfChatroom(
  trx: Trx,
  chatroomId: string,
  afterSeq: number,
  limit: number,
): Promise<{ id: string; seq: number; bytes: number }[]> {
  return trx
    .selectFrom('messages')
    .select(['id', 'seq', sql<number>`octet_length(content)`.as('bytes')])
    .where('chatroom_id', '=', chatroomId)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Empties messages that nobody sees any more, by their ids. */
export async function clearMessages(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    update messages set content = '', media_id = null
    where id in (select value from json_each(${JSON.stringify(ids)}))
  `.execute(trx);
}

/** Deletes the rows of messages. */
export async function deleteMessageRows(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`
    delete from messages where id in (select value from json_each(${JSON.stringify(ids)}))
  `.execute(trx);
}

/** Deletes a chatroom that has no messages, with its memberships. */
export async function deleteChatroom(trx: Trx, chatroomId: string): Promise<void> {
  await trx.deleteFrom('chatrooms').where('id', '=', chatroomId).execute();
}

/** Takes an account out of a chatroom. */
export async function deleteMembership(
  trx: Trx,
  chatroomId: string,
  userId: string,
): Promise<void> {
  await trx
    .deleteFrom('chatroom_members')
    .where('chatroom_id', '=', chatroomId)
    .where('user_id', '=', userId)
    .execute();
}

/** Deletes the rows of an account's uploads, which queues their files. Returns how many they were. */
export async function deleteUploadRows(trx: Trx, userId: string, limit: number): Promise<number> {
  const result = await trx
    .deleteFrom('media')
    .where('id', 'in', (eb) =>
      eb.selectFrom('media').select('id').where('owner_id', '=', userId).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes the row of an ended account. */
export async function deleteUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}
