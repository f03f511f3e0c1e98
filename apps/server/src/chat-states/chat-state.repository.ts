import { LIMITS, type MessageKind } from '@parley/contract';
import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely';
import { selectExcerpt, textsOf } from '../storage/expressions.ts';
import { CONDITIONS, relationships, type Relationship } from '../storage/relationships.ts';
import { staticFind, staticSelect, staticWrite } from '../storage/static-query.ts';
import type { Reader } from '../storage/storage.ts';
import type { ChatroomMembersTable, ChatroomsTable } from '../storage/tables/chatrooms.table.ts';
import type { Tables } from '../storage/tables/index.ts';
import type { UsersTable } from '../storage/tables/users.table.ts';
import {
  isReceived,
  isVisibleToSender,
  messageAfterArchivingAt,
  viewpointOf,
  visibleMessages,
  type Viewpoint,
} from '../storage/visibility.ts';

/**
 * Maximum length of the newest message's content, in code points: more than any preview shows.
 */
const PREVIEW_LENGTH = 1_000;

/** A chatroom as seen by one of its members. */
export interface ChatStateRow extends Pick<
  Relationship,
  | 'user_id'
  | 'consent'
  | 'is_quiet'
  | 'blocked_at'
  | 'shares_receipts'
  | 'partner_id'
  | 'partner_consent'
  | 'partner_is_quiet'
> {
  id: string;
  last_seq: number;
  last_rev: number;
  created_at: number;
  /** Revision of the membership. */
  member_rev: number;
  /** Read position of the member. */
  read_seq: number;
  /** Messages of the partner up to this one are hidden from the member. 0 for none. */
  cleared_seq: number;
  /** Own messages up to this one are hidden from the member. 0 for none. */
  own_cleared_seq: number;
  /** 1 if the chat is listed only while the member sees a message. */
  is_removed: number;
  /** Null if the partner's account was deleted. */
  partner_name: string | null;
  /** The partner's positions as told to the member, also after the partner has deleted the account. */
  partner_delivered_seq: number;
  partner_seen_seq: number;
  is_pinned: number;
  /** Place among the pinned chats, of which the highest is first. */
  pin_rank: number;
  archived_seq: number | null;
  /** When the partner sent their newest message after `archived_seq`; null if there is none. */
  message_after_archiving_at: number | null;
  muted_until: number | null;
  is_marked_unread: number;
  /** When the partner used an invitation of the member; null if never. */
  invitation_accepted_at: number | null;
  /** 0 if the member has blocked the partner. */
  unread: number;
  /** The newest message that the member sees. Its columns are null if there is none. */
  seq: number | null;
  kind: MessageKind | null;
  content: string | null;
  sender_id: string | null;
  sent_at: number | null;
  active_at: number | null;
  file: string | null;
  /** The partner's latest reaction; null if there is none. */
  reaction_emoji: string | null;
  reaction_at: number | null;
  /** `seq` of the newest message at the time of the reaction. */
  reaction_seq: number | null;
  /** The message that it refers to. Null if it is deleted. */
  reacted_id: string | null;
  reacted_kind: MessageKind | null;
  reacted_content: string | null;
}

interface StateTables extends Tables {
  me: ChatroomMembersTable;
  room: ChatroomsTable;
  partner_user: UsersTable;
}

function unreadCount(
  eb: ExpressionBuilder<StateTables, 'me' | 'room' | 'partner_user'>,
  viewpoint: Viewpoint,
) {
  return eb
    .selectFrom((from) =>
      from
        .selectFrom('messages')
        .select('messages.seq')
        .where(isReceived('messages', viewpoint, sql.ref('me.read_seq')))
        .where(sql<boolean>`(me.blocked_at is null or ${viewpoint.withheld} = 1)`)
        .limit(sql.lit(LIMITS.unreadMax))
        .as('unread_message'),
    )
    .select((of) => of.fn.countAll<number>().as('unread'))
    .$asScalar();
}

/**
 * The chatrooms of a member. Its cost is independent of the length of their history.
 * @param withheld 1 for messages of the partner that are withheld from the member, instead of the others
 */
function chatStates(db: Reader, userId: string, withheld: RawBuilder<unknown> = sql.lit(0)) {
  const viewpoint = viewpointOf('me', undefined, withheld);
  const newest = { order: 'desc', limit: sql.lit(1) } as const;
  const newestSeq = visibleMessages<number>(sql.ref('seq'), viewpoint, newest);
  return relationships(db)
    .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
    .leftJoin('messages as message', (join) =>
      join.onRef('message.chatroom_id', '=', 'room.id').on('message.seq', '=', newestSeq),
    )
    .leftJoin('media', 'media.id', 'message.media_id')
    .leftJoin('messages as reacted', (join) =>
      join
        .onRef('reacted.id', '=', 'me.reaction_message_id')
        .on('reacted.deleted_at', 'is', null)
        .on(isVisibleToSender('reacted', 'me')),
    )
    .select((eb) => [
      'room.id',
      'room.last_seq',
      'room.last_rev',
      'room.created_at',
      'me.user_id',
      'me.member_rev',
      'me.read_seq',
      'me.cleared_seq',
      'me.own_cleared_seq',
      'me.is_removed',
      'me.consent',
      'me.is_quiet',
      'me.blocked_at',
      'me_user.shares_receipts',
      'partner_user.id as partner_id',
      'partner_user.username as partner_name',
      'partner.consent as partner_consent',
      'partner.is_quiet as partner_is_quiet',
      eb.fn
        .coalesce('partner.delivered_seq', 'me.former_delivered_seq')
        .as('partner_delivered_seq'),
      eb.fn.coalesce('partner.seen_seq', 'me.former_seen_seq').as('partner_seen_seq'),
      'me.is_pinned',
      'me.pin_rank',
      'me.archived_seq',
      messageAfterArchivingAt('me').as('message_after_archiving_at'),
      'me.muted_until',
      'me.is_marked_unread',
      'me.invitation_accepted_at',
      unreadCount(eb, viewpoint).as('unread'),
      'message.seq',
      'message.kind',
      selectExcerpt<string | null>('message.content', PREVIEW_LENGTH).as('content'),
      'message.sender_id',
      'message.created_at as sent_at',
      'message.active_at',
      'media.file',
      'me.reaction_emoji',
      'me.reaction_at',
      'me.reaction_seq',
      'reacted.id as reacted_id',
      'reacted.kind as reacted_kind',
      selectExcerpt<string | null>('reacted.content', LIMITS.reactionExcerpt).as('reacted_content'),
    ])
    .where('me.user_id', '=', userId);
}

/** Finds a chatroom of a member, even if the member has declined the request. */
export const findChatState = staticFind<{ chatroomId: string; userId: string }, ChatStateRow>(
  (db, param) => chatStates(db, param('userId')).where('me.chatroom_id', '=', param('chatroomId')),
);

/**
 * Finds a chatroom of a member as {@link findChatState} does. With `withheld`, it reads the messages of the partner that
 * are withheld from the member instead of the others, which takes as long. Discard it then.
 */
export const findToldState = staticFind<
  { chatroomId: string; userId: string; withheld: 0 | 1 },
  ChatStateRow
>((db, param) =>
  chatStates(db, param('userId'), sql`cast(${param('withheld')} as bigint)`).where(
    'me.chatroom_id',
    '=',
    param('chatroomId'),
  ),
);

const selectChatStates = staticSelect<{ chatroomIds: string; userId: string }, ChatStateRow>(
  (db, param) =>
    chatStates(db, param('userId'))
      .where('me.chatroom_id', 'in', textsOf(param('chatroomIds')))
      .where(CONDITIONS.hasChatroom('me'))
      .orderBy('me.chatroom_id'),
);

/** Finds those of the given chatrooms that the user is a member of and has not declined. */
export async function findChatStates(
  db: Reader,
  chatroomIds: readonly string[],
  userId: string,
): Promise<ChatStateRow[]> {
  return selectChatStates(db, { chatroomIds: JSON.stringify(chatroomIds), userId });
}

/** Finds the chatrooms in the chat list of a member with ids above `afterId`, ordered by id. */
export const listChatStates = staticSelect<
  { userId: string; afterId: string; limit: number },
  ChatStateRow
>((db, param) =>
  chatStates(db, param('userId'))
    .where('me.chatroom_id', '>', param('afterId'))
    .where(CONDITIONS.hasChatroom('me'))
    .where('me.blocked_at', 'is', null)
    .where((eb) => eb.or([eb('me.is_removed', '=', 0), eb('message.seq', 'is not', null)]))
    // The quiet request of an ended account cannot be accepted any more.
    .where((eb) =>
      eb.or([eb.not(CONDITIONS.isQuietRequest('me')), eb('partner_user.id', 'is not', null)]),
    )
    .orderBy('me.chatroom_id')
    .limit(param('limit')),
);

/** Makes other writes to a chatroom wait for this one. */
export const lockChatroom = staticFind<{ chatroomId: string }, unknown>((db, param) =>
  db.selectFrom('chatrooms').select('id').where('id', '=', param('chatroomId')).forUpdate(),
);

/** Increases the revision of a membership by `step`. */
export const advanceMember = staticWrite<
  { chatroomId: string; userId: string; step: 0 | 1 },
  unknown
>((db, param) =>
  db
    .updateTable('chatroom_members')
    .set((eb) => ({
      member_rev: eb('member_rev', '+', eb.cast<number>(eb.val(param('step')), 'bigint')),
    }))
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('userId')),
);
