import { sql } from 'kysely';
import { NO_CONTENT } from '../storage/no-content.ts';
import { CONDITIONS, relationships } from '../storage/relationships.ts';
import { staticSelect } from '../storage/static-query.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { sentMessages } from '../storage/visibility.ts';

/**
 * Finds the chatrooms that a deleted account is still a member of, with the partner. Leaves out those whose partner is
 * deleted, has blocked the account or has declined its request.
 */
export async function findSharedChatrooms(
  db: Reader,
  userId: string,
): Promise<{ chatroomId: string; userId: string }[]> {
  return relationships(db)
    .select(['me.chatroom_id as chatroomId', 'me.user_id as userId'])
    .where('partner.user_id', '=', userId)
    .where(CONDITIONS.isReceiving('me'))
    .execute();
}

/** A chatroom that a deleted account is still a member of. */
export interface RemainingChatroom {
  id: string;
  /** Whether the partner's account exists: 0 or 1. */
  has_partner: number;
}

/** Finds a chatroom that a deleted account is still a member of. */
export async function findRemainingChatroom(
  db: Reader,
  userId: string,
): Promise<RemainingChatroom | undefined> {
  return db
    .selectFrom('chatroom_members as me')
    .select((eb) => [
      'me.chatroom_id as id',
      eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('chatroom_members as partner')
              .innerJoin('users', 'users.id', 'partner.user_id')
              .select('partner.user_id')
              .whereRef('partner.chatroom_id', '=', 'me.chatroom_id')
              .where('users.ended_at', 'is', null),
          ),
        )
        .then(1)
        .else(0)
        .end()
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
  /** Size of its content. */
  bytes: number;
}

/** Finds the next messages of an account in a chatroom, including deleted ones. */
export const findSentMessages = staticSelect<
  { chatroomId: string; userId: string; afterSeq: number; limit: number },
  SentMessage
>((db, param) =>
  db
    .selectFrom(
      sentMessages<SentMessage>(
        sql`id, seq, deleted_at, octet_length(content) as bytes`,
        { chatroomId: param('chatroomId'), viewerId: param('userId') },
        param('afterSeq'),
        param('limit'),
      ).as('message'),
    )
    .selectAll()
    .orderBy('seq'),
);

/** Removes the sender from messages. */
export async function detachMessages(trx: Writer, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('messages')
    .set({ sender_id: null, client_id: null })
    .where('id', 'in', ids)
    .execute();
}

/** Finds the messages of a chatroom after a `rev`, with the size of their content in bytes. */
export async function findMessagesOfChatroom(
  db: Reader,
  chatroomId: string,
  afterRev: number,
  limit: number,
): Promise<{ id: string; seq: number; rev: number; bytes: number }[]> {
  return db
    .selectFrom('messages')
    .select(['id', 'seq', 'rev', sql<number>`octet_length(content)`.as('bytes')])
    .where('chatroom_id', '=', chatroomId)
    .where('rev', '>', afterRev)
    .orderBy('rev')
    .limit(limit)
    .execute();
}

/** Removes the content of messages that are no longer visible to any user. */
export async function clearMessages(trx: Writer, ids: readonly string[]): Promise<void> {
  await trx.updateTable('messages').set(NO_CONTENT).where('id', 'in', ids).execute();
}

/** Deletes the rows of messages. */
export async function deleteMessageRows(trx: Writer, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('messages').where('id', 'in', ids).execute();
}

/** Deletes a chatroom without messages, and its memberships. */
export async function deleteChatroom(trx: Writer, chatroomId: string): Promise<void> {
  await trx.deleteFrom('chatrooms').where('id', '=', chatroomId).execute();
}

/**
 * Removes an account from a chatroom, with its latest reaction that the partner was shown. The partner keeps what the
 * account had told about the partner's messages. Returns whether the partner has deleted the chat, so that no one may
 * see the partner's messages any more.
 */
export async function deleteMembership(
  trx: Writer,
  chatroomId: string,
  userId: string,
): Promise<boolean> {
  const left = await trx
    .deleteFrom('chatroom_members')
    .where('chatroom_id', '=', chatroomId)
    .where('user_id', '=', userId)
    .returning(['delivered_seq', 'seen_seq'])
    .executeTakeFirst();
  const partner = await trx
    .updateTable('chatroom_members')
    .set({
      former_delivered_seq: left?.delivered_seq ?? 0,
      former_seen_seq: left?.seen_seq ?? 0,
      reaction_message_id: null,
      reaction_emoji: null,
      reaction_at: null,
      reaction_seq: null,
    })
    .where('chatroom_id', '=', chatroomId)
    .returning('own_cleared_seq')
    .executeTakeFirst();
  return (partner?.own_cleared_seq ?? 0) > 0;
}

/** Deletes reactions of an account to about `limit` messages. Returns the number of rows. */
export async function deleteReactionRows(
  trx: Writer,
  userId: string,
  limit: number,
): Promise<number> {
  const result = await trx
    .deleteFrom('reactions')
    .where('user_id', '=', userId)
    .where('message_id', 'in', (eb) =>
      eb.selectFrom('reactions').select('message_id').where('user_id', '=', userId).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes rows of an account's uploads, which queues their files. Returns the number of rows. */
export async function deleteUploadRows(
  trx: Writer,
  userId: string,
  limit: number,
): Promise<number> {
  const result = await trx
    .deleteFrom('media')
    .where('id', 'in', (eb) =>
      eb.selectFrom('media').select('id').where('owner_id', '=', userId).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes the row of a deleted account. */
export async function deleteUser(trx: Writer, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute();
}
