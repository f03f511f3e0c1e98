import type { WhoMayWrite } from '@parley/contract';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { staticFind } from './static-query.ts';
import type { Reader } from './storage.ts';
import type { ChatroomMembersTable } from './tables/chatrooms.table.ts';
import type { UsersTable } from './tables/users.table.ts';

type MemberColumns = Pick<Selectable<ChatroomMembersTable>, 'consent' | 'is_quiet' | 'blocked_at'> &
  Pick<
    Selectable<UsersTable>,
    'shares_receipts' | 'shares_typing' | 'shares_presence' | 'suspended_at'
  >;

/**
 * What decides what the two members of a chatroom may do and learn, as seen by one of them, the user. The columns of
 * the partner begin with `partner_`, and may be null once the partner's account is deleted.
 */
export type Relationship = MemberColumns & {
  [Column in keyof MemberColumns as `partner_${Column}`]: MemberColumns[Column] | null;
} & {
  chatroom_id: string;
  user_id: string;
  /** Null if the partner's account was deleted. */
  partner_id: string | null;
  partner_who_may_write: WhoMayWrite | null;
};

/** Selects a {@link Relationship} from {@link relationships}. */
export const RELATIONSHIP = [
  'me.chatroom_id',
  'me.user_id',
  'me.consent',
  'me.is_quiet',
  'me.blocked_at',
  'me_user.shares_receipts',
  'me_user.shares_typing',
  'me_user.shares_presence',
  'me_user.suspended_at',
  'partner_user.id as partner_id',
  'partner.consent as partner_consent',
  'partner.is_quiet as partner_is_quiet',
  'partner.blocked_at as partner_blocked_at',
  'partner_user.shares_receipts as partner_shares_receipts',
  'partner_user.shares_typing as partner_shares_typing',
  'partner_user.shares_presence as partner_shares_presence',
  'partner_user.suspended_at as partner_suspended_at',
  'partner_user.who_may_write as partner_who_may_write',
] as const;

/**
 * Starts a query of the memberships of users (`me`, `me_user`) whose accounts are not deleted, with their partners
 * (`partner`, `partner_user`). The columns of `partner_user` are null if the partner's account was deleted.
 */
export function relationships(db: Reader) {
  return db
    .selectFrom('chatroom_members as me')
    .innerJoin('users as me_user', (join) =>
      join.onRef('me_user.id', '=', 'me.user_id').on('me_user.ended_at', 'is', null),
    )
    .leftJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'me.chatroom_id')
        .onRef('partner.user_id', '<>', 'me.user_id'),
    )
    .leftJoin('users as partner_user', (join) =>
      join.onRef('partner_user.id', '=', 'partner.user_id').on('partner_user.ended_at', 'is', null),
    );
}

const selectRelationship = staticFind<{ chatroomId: string; userId: string }, Relationship>(
  (db, param) =>
    relationships(db)
      .select(RELATIONSHIP)
      .where('me.chatroom_id', '=', param('chatroomId'))
      .where('me.user_id', '=', param('userId')),
);

/** Finds the relationship of a user to the partner in a chatroom, even if the user has declined it. */
export async function findRelationship(
  db: Reader,
  chatroomId: string,
  userId: string,
): Promise<Relationship | undefined> {
  return selectRelationship(db, { chatroomId, userId });
}

/** The relationship of two users who have a chatroom. */
export interface KnownPair extends Relationship {
  /** 1 if the user has deleted the chat. */
  is_removed: number;
}

const selectPair = staticFind<{ pairKey: string; userId: string }, KnownPair>((db, param) =>
  relationships(db)
    .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
    .select(RELATIONSHIP)
    .select('me.is_removed')
    .where('room.pair_key', '=', param('pairKey'))
    .where('me.user_id', '=', param('userId')),
);

/** Finds the relationship of a user to another one. Returns undefined if they have no chatroom. */
export async function findRelationshipTo(
  db: Reader,
  userId: string,
  partnerId: string,
): Promise<KnownPair | undefined> {
  return selectPair(db, { pairKey: pairKeyOf(userId, partnerId), userId });
}

/** Returns the key of the chatroom of two users. */
export function pairKeyOf(a: string, b: string): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`;
}

/**
 * Functions of `relationships/relationship.ts` as conditions of queries that read many memberships.
 * Each takes the table of the membership, or its alias.
 */
export const CONDITIONS = {
  hasChatroom: (member) => sql<boolean>`${column(member, 'consent')} <> 'declined'`,
  hasAccepted: (member) => sql<boolean>`${column(member, 'consent')} = 'accepted'`,
  isReceiving: (member) =>
    sql<boolean>`(${column(member, 'consent')} <> 'declined' and ${column(member, 'blocked_at')} is null)`,
  isQuietRequest: (member) =>
    sql<boolean>`(${column(member, 'consent')} = 'requested' and ${column(member, 'is_quiet')} = 1)`,
  isToldReceipts: (member) =>
    sql<boolean>`(${column(member, 'consent')} = 'accepted' and ${column(member, 'blocked_at')} is null
      and exists (select users.id from users
        where users.id = ${column(member, 'user_id')} and users.shares_receipts = 1))`,
} satisfies Record<string, (member: string) => RawBuilder<boolean>>;

function column(member: string, name: keyof ChatroomMembersTable): RawBuilder<unknown> {
  return sql.ref(`${member}.${name}`);
}
