import { LIMITS, type MessageKind } from '@parley/contract';
import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import type { UsersTable } from '../storage/tables/users.table.ts';
import {
  CONDITIONS,
  pairKeyOf,
  relationships,
  type Relationship,
} from '../storage/relationships.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import type { Tables } from '../storage/tables/index.ts';
import { selectExcerpt, textsOf } from '../storage/expressions.ts';
import { staticFind, staticSelect } from '../storage/static-query.ts';
import {
  isReceived,
  messageAfterArchivingAt,
  viewpointOf,
  visibleMessages,
} from '../storage/visibility.ts';
import type { SettingsRow } from './chat-settings.wire.ts';
import type { MemberStatus } from './member-status.ts';
import type {
  ChatroomMembersTable,
  ChatroomsTable,
  Consent,
} from '../storage/tables/chatrooms.table.ts';

/**
 * Maximum length of message content in the chat list, in code points: more than any preview shows.
 */
const PREVIEW_LENGTH = 1_000;

/** A chatroom as seen by one of its members, without what must be counted. */
export interface MembershipRow
  extends
    SettingsRow,
    MemberStatus,
    Pick<Relationship, 'partner_id' | 'shares_receipts' | 'partner_consent' | 'partner_is_quiet'> {
  id: string;
  last_seq: number;
  last_rev: number;
  created_at: number;
  /** Read position of the member. */
  read_seq: number;
  /** Messages of the partner up to this one are hidden from the member. 0 for none. */
  cleared_seq: number;
  /** The partner's positions as told to the member, also after the partner has deleted the account. */
  partner_delivered_seq: number;
  partner_seen_seq: number;
}

/** A chatroom as seen by one of its members. */
export interface ChatroomRow extends MembershipRow {
  /** 0 if the member has blocked the partner. */
  unread: number;
}

/** A chatroom with its newest message. The message columns are null if there is none. */
export interface ChatListRow extends ChatroomRow {
  seq: number | null;
  kind: MessageKind | null;
  content: string | null;
  sender_id: string | null;
  sent_at: number | null;
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

interface ChatroomTables extends Tables {
  me: ChatroomMembersTable;
  room: ChatroomsTable;
  partner_user: UsersTable;
}

function unreadCount(eb: ExpressionBuilder<ChatroomTables, 'me' | 'room' | 'partner_user'>) {
  return eb
    .selectFrom((from) =>
      from
        .selectFrom('messages')
        .select('messages.seq')
        .where(isReceived('messages', viewpointOf('me'), sql.ref('me.read_seq')))
        .where('me.blocked_at', 'is', null)
        .limit(sql.lit(LIMITS.unreadMax))
        .as('unread_message'),
    )
    .select((of) => of.fn.countAll<number>().as('unread'))
    .$asScalar();
}

/** The chatrooms of a member, except for declined requests, which do not exist for the member. */
function membershipsOf(db: Reader, userId: string) {
  return relationships(db)
    .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
    .select((eb) => [
      'room.id',
      'room.last_seq',
      'room.last_rev',
      'room.created_at',
      'me.read_seq',
      'me.cleared_seq',
      'partner_user.id as partner_id',
      'partner_user.username as partner_name',
      'me.consent',
      'me.is_quiet',
      'me.blocked_at',
      'partner.consent as partner_consent',
      'partner.is_quiet as partner_is_quiet',
      'me_user.shares_receipts',
      eb.fn
        .coalesce('partner.delivered_seq', 'me.former_delivered_seq')
        .as('partner_delivered_seq'),
      eb.fn.coalesce('partner.seen_seq', 'me.former_seen_seq').as('partner_seen_seq'),
      'me.is_pinned',
      'me.archived_seq',
      messageAfterArchivingAt('me').as('message_after_archiving_at'),
      'me.muted_until',
      'me.is_marked_unread',
      'me.settings_version',
    ])
    .where('me.user_id', '=', userId)
    .where(CONDITIONS.hasChatroom('me'));
}

function chatroomsOfMember(db: Reader, userId: string) {
  return membershipsOf(db, userId).select((eb) => unreadCount(eb).as('unread'));
}

/** Like {@link findChatroom}, without counting unread messages. */
export const findMembership = staticFind<{ chatroomId: string; userId: string }, MembershipRow>(
  (db, param) => membershipsOf(db, param('userId')).where('room.id', '=', param('chatroomId')),
);

/**
 * Finds a chatroom of a member. Returns undefined if the user is not a member or has declined the
 * request.
 */
export const findChatroom = staticFind<{ chatroomId: string; userId: string }, ChatroomRow>(
  (db, param) => chatroomsOfMember(db, param('userId')).where('room.id', '=', param('chatroomId')),
);

/** Makes other writes to a chatroom wait for this one. */
export const lockChatroom = staticFind<{ chatroomId: string }, unknown>((db, param) =>
  db.selectFrom('chatrooms').select('id').where('id', '=', param('chatroomId')).forUpdate(),
);

const selectChatrooms = staticSelect<{ chatroomIds: string; userId: string }, ChatroomRow>(
  (db, param) =>
    chatroomsOfMember(db, param('userId'))
      .where('room.id', 'in', textsOf(param('chatroomIds')))
      .orderBy('room.id'),
);

/** Finds those of the given chatrooms that the user is a member of and has not declined. */
export async function findChatrooms(
  db: Reader,
  chatroomIds: readonly string[],
  userId: string,
): Promise<ChatroomRow[]> {
  return selectChatrooms(db, { chatroomIds: JSON.stringify(chatroomIds), userId });
}

/** `seq` of the newest message that the member sees. */
const newestSeq = visibleMessages<number>(sql.ref('seq'), viewpointOf('me'), {
  order: 'desc',
  limit: sql.lit(1),
});

/**
 * Finds the chatrooms of a member with ids above `afterId`, ordered by id, without those whose
 * partner the member has blocked. Its cost is independent of the length of their history.
 */
export const findChatListRows = staticSelect<
  { userId: string; afterId: string; limit: number },
  ChatListRow
>((db, param) =>
  chatroomsOfMember(db, param('userId'))
    .where('me.chatroom_id', '>', param('afterId'))
    .where('me.blocked_at', 'is', null)
    // The quiet request of an ended account cannot be accepted any more.
    .where((eb) =>
      eb.or([eb.not(CONDITIONS.isQuietRequest('me')), eb('partner_user.id', 'is not', null)]),
    )
    .orderBy('me.chatroom_id')
    .limit(param('limit'))
    .leftJoin('messages as message', (join) =>
      join.onRef('message.chatroom_id', '=', 'room.id').on('message.seq', '=', newestSeq),
    )
    .leftJoin('media', 'media.id', 'message.media_id')
    .leftJoin('messages as reacted', (join) =>
      join.onRef('reacted.id', '=', 'me.reaction_message_id').on('reacted.deleted_at', 'is', null),
    )
    .select([
      'message.seq',
      'me.reaction_emoji',
      'me.reaction_at',
      'me.reaction_seq',
      'reacted.id as reacted_id',
      'reacted.kind as reacted_kind',
      selectExcerpt<string | null>('reacted.content', LIMITS.reactionExcerpt).as('reacted_content'),
      'message.kind',
      selectExcerpt<string | null>('message.content', PREVIEW_LENGTH).as('content'),
      'message.sender_id',
      'message.created_at as sent_at',
      'media.file',
    ]),
);

/** Finds the account of the current user, for responses about chatrooms. */
export const findCurrentUser = staticFind<
  { userId: string },
  Pick<Selectable<UsersTable>, 'username' | 'volume'>
>((db, param) =>
  db
    .selectFrom('users')
    .select(['username', 'volume'])
    .where('id', '=', param('userId'))
    .where('ended_at', 'is', null),
);

/** An account as found by its username. */
export type PartnerRow = Pick<
  Selectable<UsersTable>,
  'id' | 'username' | 'who_may_write' | 'is_discoverable' | 'suspended_at'
>;

/** Finds the account with a username, given its `usernameKey`. */
export function findPartner(db: Reader, usernameKey: string): Promise<PartnerRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'who_may_write', 'is_discoverable', 'suspended_at'])
    .where('username_key', '=', usernameKey)
    .executeTakeFirst();
}

/** A chatroom to insert. */
export interface NewChatroom {
  id: string;
  userId: string;
  partnerId: string;
  /** The partner's consent to messages of the user, who has accepted the partner. */
  partnerConsent: Consent;
  now: number;
}

/** Inserts the chatroom of two users who have none yet. */
export async function insertChatroom(trx: Writer, room: NewChatroom): Promise<void> {
  const { id, userId, partnerId, partnerConsent, now } = room;
  await trx
    .insertInto('chatrooms')
    .values({
      id,
      pair_key: pairKeyOf(userId, partnerId),
      last_seq: 0,
      last_rev: 0,
      created_at: now,
    })
    .execute();
  await trx
    .insertInto('chatroom_members')
    .values([
      { chatroom_id: id, user_id: userId, read_seq: 0, consent: 'accepted' },
      { chatroom_id: id, user_id: partnerId, read_seq: 0, consent: partnerConsent },
    ])
    .execute();
}
