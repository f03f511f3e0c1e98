import { LIMITS, type MessageKind } from '@parley/contract';
import { sql } from 'kysely';
import { selectExcerpt, textsOf } from '../storage/expressions.ts';
import { staticFind, staticSelect } from '../storage/static-query.ts';
import type { Reader } from '../storage/storage.ts';
import { isVisibleTo, isVisibleToPartner, isVisibleToSender } from '../storage/visibility.ts';

/** A message that others reply to. Without content if it is deleted. */
export interface QuotedRow {
  id: string;
  seq: number;
  kind: MessageKind;
  /** The start of a text. */
  content: string;
  /** Null once the account is erased. */
  sender_id: string | null;
  username: string;
  /** File of the upload; null for text. */
  file: string | null;
  /** 1 for an image that is no longer displayed. */
  is_blocked: number | null;
  /** Also 1 if the sender's account has ended. */
  is_deleted: number;
  /** 1 if the partner of its sender does not see it. */
  is_hidden: number;
  /** 1 if its sender does not see it. */
  is_hidden_from_sender: number;
}

const selectQuoted = staticSelect<{ messageIds: string }, QuotedRow>((db, param) => {
  const isDeleted = sql<boolean>`(message.deleted_at is not null or sender.id is null)`;
  return db
    .selectFrom('messages as message')
    .leftJoin('users as sender', (join) =>
      join.onRef('sender.id', '=', 'message.sender_id').on('sender.ended_at', 'is', null),
    )
    .leftJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'message.chatroom_id')
        .onRef('partner.user_id', '<>', 'message.sender_id'),
    )
    .leftJoin('chatroom_members as own', (join) =>
      join
        .onRef('own.chatroom_id', '=', 'message.chatroom_id')
        .onRef('own.user_id', '=', 'message.sender_id'),
    )
    .leftJoin('media', 'media.id', 'message.media_id')
    .select((eb) => [
      'message.id',
      'message.seq',
      'message.kind',
      sql<string>`case when ${isDeleted} then ''
        else ${selectExcerpt('message.content', LIMITS.quoteExcerpt)} end`.as('content'),
      'message.sender_id',
      eb.fn.coalesce('sender.username', eb.val('')).as('username'),
      'media.file',
      'media.is_blocked',
      sql<number>`case when ${isDeleted} then 1 else 0 end`.as('is_deleted'),
      sql<number>`case when partner.user_id is null or ${isVisibleToPartner('message', 'partner')}
        then 0 else 1 end`.as('is_hidden'),
      sql<number>`case when own.user_id is null or ${isVisibleToSender('message', 'own')}
        then 0 else 1 end`.as('is_hidden_from_sender'),
    ])
    .where('message.id', 'in', textsOf(param('messageIds')));
});

/** Returns messages that others reply to, also those that not everyone sees. */
export async function findQuoted(db: Reader, messageIds: readonly string[]): Promise<QuotedRow[]> {
  if (messageIds.length === 0) return [];
  return selectQuoted(db, { messageIds: JSON.stringify(messageIds) });
}

/**
 * Finds a message that the user may reply to: one of the chatroom that is not hidden from the user. It
 * may be deleted.
 */
export const findQuotable = staticFind<
  { messageId: string; chatroomId: string; userId: string },
  { id: string }
>((db, param) =>
  db
    .selectFrom('messages as message')
    .innerJoin('chatroom_members as me', (join) =>
      join
        .onRef('me.chatroom_id', '=', 'message.chatroom_id')
        .on('me.user_id', '=', param('userId')),
    )
    .select('message.id')
    .where('message.id', '=', param('messageId'))
    .where('message.chatroom_id', '=', param('chatroomId'))
    .where((eb) => eb.or([eb('message.sender_id', 'is', null), isVisibleTo('message', 'me')])),
);
