import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { staticQuery } from '../db/static-query.ts';
import type { MessageRow, TombstoneRow } from './message.wire.ts';

type Trx = Transaction<Database>;

/** A message with what decides who may change it. */
export interface ChangeableMessage extends MessageRow {
  sender_id: string | null;
  media_id: string | null;
  deleted_at: number | null;
  last_rev: number;
  /** Null if the partner's account is gone. */
  partner_id: string | null;
}

/** A message, deleted ones included, in one of the user's rooms. */
export function findMessageOfMember(
  db: Kysely<Database>,
  messageId: string,
  userId: string,
): Promise<ChangeableMessage | undefined> {
  return messagesWithMedia(db)
    .innerJoin('chatrooms as room', 'room.id', 'message.chatroom_id')
    .innerJoin('chatroom_members as me', 'me.chatroom_id', 'room.id')
    .leftJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'me.chatroom_id')
        .onRef('partner.user_id', '<>', 'me.user_id'),
    )
    .leftJoin('users as partner_user', (join) =>
      join.onRef('partner_user.id', '=', 'partner.user_id').on('partner_user.ended_at', 'is', null),
    )
    .select([
      'message.sender_id',
      'message.media_id',
      'room.last_rev',
      'partner_user.id as partner_id',
    ])
    .where('message.id', '=', messageId)
    .where('me.user_id', '=', userId)
    .executeTakeFirst();
}

/** Puts a new text in place and moves the room's revision on to the change. */
export async function updateContent(
  trx: Trx,
  row: TombstoneRow & Pick<MessageRow, 'content' | 'updated_at'>,
): Promise<void> {
  const { id, chatroom_id: roomId, rev, content, updated_at } = row;
  await trx
    .updateTable('messages')
    .set({ content, rev, updated_at })
    .where('id', '=', id)
    .execute();
  await setLastRev(trx, roomId, rev);
}

/** Empties a message and moves the room's revision on to the change. Its upload's row goes too. */
export async function buryMessage(
  trx: Trx,
  row: TombstoneRow & { media_id: string | null },
  now: number,
): Promise<void> {
  await trx
    .updateTable('messages')
    .set({ content: '', media_id: null, rev: row.rev, updated_at: now, deleted_at: now })
    .where('id', '=', row.id)
    .execute();
  if (row.media_id !== null) {
    await trx.deleteFrom('media').where('id', '=', row.media_id).execute();
  }
  await setLastRev(trx, row.chatroom_id, row.rev);
}

async function setLastRev(trx: Trx, roomId: string, rev: number): Promise<void> {
  await trx.updateTable('chatrooms').set({ last_rev: rev }).where('id', '=', roomId).execute();
}

/**
 * Every column of {@link MessageRow}, and when the message was deleted, by itself or with its sender's
 * account; joins that narrow it down may follow.
 */
function messagesWithMedia(db: Kysely<Database>) {
  return db
    .selectFrom('messages as message')
    .leftJoin('users as sender', 'sender.id', 'message.sender_id')
    .leftJoin('media', 'media.id', 'message.media_id')
    .select((eb) => [
      'message.id',
      'message.chatroom_id',
      'message.seq',
      'message.rev',
      'message.kind',
      'message.content',
      'message.client_id',
      'message.created_at',
      'message.updated_at',
      'media.file',
      'media.width',
      'media.height',
      'media.is_blocked',
      'media.duration_ms',
      'media.peaks',
      // Messages of an ended account are not shown, and only tombstones outlive its row.
      eb.fn.coalesce('sender.username', eb.val('')).as('username'),
      eb.fn.coalesce('message.deleted_at', 'sender.ended_at').as('deleted_at'),
    ]);
}

const selectPage = staticQuery<{ roomId: string; before: number; limit: number }, MessageRow>(
  (db, param) =>
    messagesWithMedia(db)
      .where('message.chatroom_id', '=', param('roomId'))
      .where('message.deleted_at', 'is', null)
      // Asked once for all rows, and of the index. The plus keeps SQLite from the index by sender.
      .where(
        sql<boolean>`+message.sender_id in (
          select member.user_id from chatroom_members as member
          join users as member_user on member_user.id = member.user_id
          where member.chatroom_id = ${param('roomId')} and member_user.ended_at is null)`,
      )
      .where('message.seq', '<', param('before'))
      .orderBy('message.seq', 'desc')
      .limit(param('limit')),
);

/** The newest messages with a lower `seq`, newest first. */
export async function listMessagesBefore(
  db: Kysely<Database>,
  roomId: string,
  before: number,
  limit: number,
): Promise<MessageRow[]> {
  return (await selectPage(db, { roomId, before, limit })).rows;
}

/** A message, or what is left of a deleted one. */
export type ChangeRow = MessageRow & { deleted_at: number | null };

const selectChanges = staticQuery<{ roomId: string; since: number; limit: number }, ChangeRow>(
  (db, param) =>
    messagesWithMedia(db)
      .where('message.chatroom_id', '=', param('roomId'))
      .where('message.rev', '>', param('since'))
      .orderBy('message.rev')
      .limit(param('limit')),
);

/** What changed after a revision, tombstones included, in the order of `rev`. */
export async function listChanges(
  db: Kysely<Database>,
  roomId: string,
  since: number,
  limit: number,
): Promise<ChangeRow[]> {
  return (await selectChanges(db, { roomId, since, limit })).rows;
}
