import type { MessageKind } from '@parley/contract';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import { NO_CONTENT } from '../storage/no-content.ts';
import { RELATIONSHIP, relationships, type Relationship } from '../storage/relationships.ts';
import { staticFind, staticSelect, staticWrite, type Param } from '../storage/static-query.ts';
import type { MessagesTable } from '../storage/tables/messages.table.ts';
import {
  isVisibleTo,
  isVisibleToSender,
  visibleMessages,
  type Viewpoint,
  type VisibleRange,
} from '../storage/visibility.ts';
import { deleteReactionsTo } from './reaction.repository.ts';
import type { MessageWithPartner } from './recipients.ts';

/** A message that is not deleted, joined with the columns of other tables that a viewer sees. */
export interface MessageRow {
  id: string;
  chatroom_id: string;
  seq: number;
  rev: number;
  kind: MessageKind;
  content: string;
  client_id: string | null;
  created_at: number;
  updated_at: number;
  /** Username of the sender. */
  username: string;
  /** File of the upload; null for text. */
  file: string | null;
  width: number | null;
  height: number | null;
  /** 1 for an image that is no longer displayed. */
  is_blocked: number | null;
  duration_ms: number | null;
  peaks: Buffer | null;
  album_id: string | null;
  is_forwarded: number;
  /** The message that this one replies to; null if it is no reply. */
  reply_to_id: string | null;
  /** Its place in the order of all messages; null if that is `created_at`. */
  active_at: number | null;
}

/** A message with the columns that decide who may change it. */
export interface ChangeableMessage extends MessageRow, MessageWithPartner, Relationship {
  media_id: string | null;
  deleted_at: number | null;
  /** The same as it is stored, also if the user cannot see the message. */
  stored_deleted_at: number | null;
  /** The user's own name. */
  own_name: string;
}

/** Whether the viewer sees a message, by what the viewer has deleted and what is withheld. */
const IS_VISIBLE = isVisibleTo('message', 'me');

interface MessageKey {
  messageId: string;
  userId: string;
}

/**
 * Finds a message, deleted or not, in one of the user's chatrooms. A message that the user cannot
 * see counts as deleted.
 */
export const findMessageOfMember = staticFind<MessageKey, ChangeableMessage>((db, param) =>
  changeableMessages(db, param, IS_VISIBLE),
);

/** Finds a message that a user sent, as {@link findMessageOfMember} does, even if the user has deleted the chat. */
export const findSentMessage = staticFind<MessageKey, ChangeableMessage>((db, param) =>
  changeableMessages(db, param, sql<boolean>`(1 = 1)`).where(
    'message.sender_id',
    '=',
    param('userId'),
  ),
);

function changeableMessages(db: Reader, param: Param<MessageKey>, isVisible: RawBuilder<boolean>) {
  return relationships(db)
    .innerJoin('messages as message', 'message.chatroom_id', 'me.chatroom_id')
    .leftJoin('users as sender', 'sender.id', 'message.sender_id')
    .leftJoin('media', (join) => join.onRef('media.id', '=', 'message.media_id').on(isVisible))
    .select(RELATIONSHIP)
    .select(messageColumns(isVisible))
    .select([
      'message.sender_id',
      'message.media_id',
      'message.withheld',
      'message.deleted_at as stored_deleted_at',
      'me_user.username as own_name',
      'me.own_cleared_seq',
      'partner.cleared_seq as partner_cleared_seq',
      'partner.own_cleared_seq as partner_own_cleared_seq',
    ])
    .where('message.id', '=', param('messageId'))
    .where('me.user_id', '=', param('userId'));
}

const incrementRev = staticWrite<{ chatroomId: string; count: number }, { last_rev: number }>(
  (db, param) =>
    db
      .updateTable('chatrooms')
      .set((eb) => ({ last_rev: eb('last_rev', '+', param('count')) }))
      .where('id', '=', param('chatroomId'))
      .returning('last_rev'),
);

/**
 * Allocates the next `count` revisions of a chatroom and returns the last one. It locks the
 * chatroom for other writes.
 */
export async function allocateRevs(
  trx: Writer,
  chatroomId: string,
  count: number,
): Promise<number> {
  const row = await incrementRev(trx, { chatroomId, count });
  if (row === undefined) throw new Error('a chatroom does not exist');
  return row.last_rev;
}

/**
 * Allocates the next revision of a message's chatroom. Call it before reading the message: it locks
 * the chatroom, so the message cannot change during the write. Returns undefined if the message
 * does not exist.
 */
export const allocateRevOfMessage = staticWrite<{ messageId: string }, { rev: number }>(
  (db, param) =>
    db
      .updateTable('chatrooms')
      .set((eb) => ({ last_rev: eb('last_rev', '+', 1) }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('messages')
          .select('messages.chatroom_id')
          .where('messages.id', '=', param('messageId')),
      )
      .returning('last_rev as rev'),
);

/** Replaces the text of a message. `rev` is a newly allocated revision of its chatroom. */
export async function updateContent(
  trx: Writer,
  {
    id,
    rev,
    content,
    updated_at,
    withheld,
    is_forwarded,
  }: Pick<ChangeableMessage, 'id' | 'rev' | 'content' | 'updated_at' | 'withheld' | 'is_forwarded'>,
): Promise<void> {
  await trx
    .updateTable('messages')
    .set({ content, rev, updated_at, withheld, is_forwarded })
    .where('id', '=', id)
    .execute();
}

/** A message to soft-delete. */
interface DeletableMessage {
  id: string;
  chatroom_id: string;
  /** A newly allocated revision, unless no member sees the message. */
  rev: number;
  media_id: string | null;
}

/**
 * Keeps the counted size of an upload that is deleted, or replaced by one of another size, if its message is one that
 * the sender has deleted with the chat. Call it before that.
 */
export const keepClearedSize = staticWrite<{ mediaId: string; nextSize: number }, unknown>(
  (db, param) =>
    db
      .updateTable('users')
      .set((of) => ({
        cleared_media_bytes: sql<number>`cleared_media_bytes - cast(${param('nextSize')} as bigint)
          + ${of.selectFrom('media').select('size').where('media.id', '=', param('mediaId'))}`,
      }))
      .where('id', '=', (of) =>
        of
          .selectFrom('messages')
          .innerJoin('media', 'media.id', 'messages.media_id')
          .innerJoin('chatroom_members as sender', (join) =>
            join
              .onRef('sender.chatroom_id', '=', 'messages.chatroom_id')
              .onRef('sender.user_id', '=', 'messages.sender_id'),
          )
          .select('sender.user_id')
          .where('messages.media_id', '=', param('mediaId'))
          .where(sql<boolean>`not ${isVisibleToSender('messages', 'sender')}`),
      ),
);

/** Soft-deletes a message and deletes its reactions and the row of its upload. */
export async function softDeleteMessage(
  trx: Writer,
  { id, chatroom_id: chatroomId, rev, media_id: mediaId }: DeletableMessage,
  now: number,
): Promise<void> {
  if (mediaId !== null) await keepClearedSize(trx, { mediaId, nextSize: 0 });
  await clearMessage(trx, { id, rev, now });
  await deleteReactionsTo(trx, chatroomId, id);
  if (mediaId !== null) await trx.deleteFrom('media').where('id', '=', mediaId).execute();
}

const clearMessage = staticWrite<{ id: string; rev: number; now: number }, unknown>((db, param) =>
  db
    .updateTable('messages')
    .set({
      ...NO_CONTENT,
      rev: param('rev'),
      updated_at: param('now'),
      deleted_at: param('now'),
    })
    .where('id', '=', param('id')),
);

/** Soft-deletes messages of a chatroom. The first one gets `firstRev`, the others the revisions after it. */
export async function softDeleteMessages(
  trx: Writer,
  chatroomId: string,
  ids: readonly string[],
  firstRev: number,
  now: number,
): Promise<void> {
  for (const [i, id] of ids.entries()) {
    await clearMessage(trx, { id, rev: firstRev + i, now });
    await deleteReactionsTo(trx, chatroomId, id);
  }
}

/**
 * Starts a query of messages in the viewer's chatrooms with all columns of {@link MessageRow} and
 * `deleted_at`, which is also set if the sender's account has ended or the viewer cannot see the
 * message. Nothing of the content of such messages leaves the database.
 */
function messagesWithMedia(
  db: Reader,
  viewerId: string,
  from = sql<Selectable<MessagesTable>>`messages`,
) {
  return db
    .selectFrom(from.as('message'))
    .innerJoin('chatroom_members as me', (join) =>
      join.onRef('me.chatroom_id', '=', 'message.chatroom_id').on('me.user_id', '=', viewerId),
    )
    .leftJoin('users as sender', 'sender.id', 'message.sender_id')
    .leftJoin('media', (join) => join.onRef('media.id', '=', 'message.media_id').on(IS_VISIBLE))
    .select(messageColumns(IS_VISIBLE));
}

function messageColumns(isVisible: RawBuilder<boolean>) {
  return [
    'message.id',
    'message.chatroom_id',
    'message.seq',
    'message.rev',
    'message.kind',
    sql<string>`case when ${isVisible} then message.content else '' end`.as('content'),
    'message.client_id',
    'message.album_id',
    'message.is_forwarded',
    'message.created_at',
    'message.updated_at',
    'message.reply_to_id',
    'message.active_at',
    'media.file',
    'media.width',
    'media.height',
    'media.is_blocked',
    'media.duration_ms',
    'media.peaks',
    // Messages of an ended account count as deleted. Once the account's row is deleted, only
    // tombstones remain.
    sql<string>`coalesce(sender.username, '')`.as('username'),
    sql<number | null>`coalesce(message.deleted_at, sender.ended_at,
        case when not ${isVisible} then message.updated_at end)`.as('deleted_at'),
  ] as const;
}

/** Who reads a chatroom, and what decides which of its messages are visible. */
export interface Viewer extends Viewpoint {
  chatroomId: string;
  viewerId: string;
  partnerId: string | null;
  clearedSeq: number;
  ownClearedSeq: number;
}

/** Finds the messages with a lower `seq` that the viewer sees, newest first. */
export const listMessagesBefore = staticSelect<
  Viewer & { before: number; limit: number },
  MessageRow
>((db, param) => visiblePage(db, param, { beforeSeq: param('before'), order: 'desc' }));

/** Finds the messages with a higher `seq` that the viewer sees, oldest first. */
export const listMessagesAfter = staticSelect<
  Viewer & { after: number; limit: number },
  MessageRow
>((db, param) => visiblePage(db, param, { afterSeq: param('after'), order: 'asc' }));

function visiblePage(
  db: Reader,
  param: Param<Viewer & { limit: number }>,
  range: Omit<VisibleRange, 'limit'>,
) {
  const viewer: Viewer = {
    chatroomId: param('chatroomId'),
    viewerId: param('viewerId'),
    partnerId: param('partnerId'),
    clearedSeq: param('clearedSeq'),
    ownClearedSeq: param('ownClearedSeq'),
  };
  const limited = { ...range, limit: param('limit') };
  const page = visibleMessages<Selectable<MessagesTable>>(sql`*`, viewer, limited);
  return messagesWithMedia(db, viewer.viewerId, page)
    .where('me.chatroom_id', '=', viewer.chatroomId)
    .orderBy('message.seq', range.order);
}

const findById = staticFind<{ id: string; viewerId: string }, ChangeRow>((db, param) =>
  messagesWithMedia(db, param('viewerId')).where('message.id', '=', param('id')),
);

/** Returns messages in chatrooms of the viewer by their ids, as far as the viewer sees them. */
export async function listMessagesById(
  db: Reader,
  ids: readonly string[],
  viewerId: string,
): Promise<MessageRow[]> {
  // One query for all would begin with the chatrooms of the viewer on SQLite, and read all messages.
  const found = await Promise.all(ids.map((id) => findById(db, { id, viewerId })));
  return found.filter((row) => row !== undefined).filter((row) => row.deleted_at === null);
}

/** A changed message, or the tombstone of a deleted one. */
export type ChangeRow = MessageRow & { deleted_at: number | null };

/**
 * Finds the changes after a revision, ordered by `rev`, including tombstones of messages that are
 * deleted or that the viewer cannot see.
 */
export const listChanges = staticSelect<
  { chatroomId: string; viewerId: string; since: number; limit: number },
  ChangeRow
>((db, param) =>
  messagesWithMedia(db, param('viewerId'))
    .where('message.chatroom_id', '=', param('chatroomId'))
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('message.rev', '>', param('since'))
    .orderBy('message.rev')
    .limit(param('limit')),
);
