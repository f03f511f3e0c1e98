import { sql, type Selectable, type Updateable } from 'kysely';
import { RELATIONSHIP, relationships, type Relationship } from '../storage/relationships.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticFind, staticWrite } from '../storage/static-query.ts';
import type { ChatroomMembersTable } from '../storage/tables/chatrooms.table.ts';

/** A member of a chatroom. */
export interface MemberRow
  extends
    Relationship,
    Pick<Selectable<ChatroomMembersTable>, 'read_seq' | 'block_start_seq' | 'block_end_seq'> {
  /** `seq` of the newest message of the chatroom. */
  last_seq: number;
}

/** Finds a member of a chatroom, even one who has declined the request. */
export const findMember = staticFind<{ chatroomId: string; userId: string }, MemberRow>(
  (db, param) =>
    relationships(db)
      .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
      .select(RELATIONSHIP)
      .select(['me.read_seq', 'me.block_start_seq', 'me.block_end_seq', 'room.last_seq'])
      .where('me.chatroom_id', '=', param('chatroomId'))
      .where('me.user_id', '=', param('userId')),
);

/** The columns of a member that change. */
export type MemberChange = Updateable<ChatroomMembersTable>;

/** Changes a member of a chatroom. */
export async function updateMember(
  trx: Writer,
  chatroomId: string,
  userId: string,
  change: MemberChange,
): Promise<void> {
  await trx
    .updateTable('chatroom_members')
    .set(change)
    .where('chatroom_id', '=', chatroomId)
    .where('user_id', '=', userId)
    .execute();
}

/** Makes both members of a chatroom accept each other, and lists it for those who have deleted it. */
export async function acceptBoth(trx: Writer, chatroomId: string): Promise<void> {
  await trx
    .updateTable('chatroom_members')
    .set({ consent: 'accepted', is_removed: 0 })
    .where('chatroom_id', '=', chatroomId)
    .execute();
}

/**
 * Records that the partner has used an invitation of a member, and marks the chat as unread for the member. With
 * `isTold: 0` it changes nothing, and takes as long.
 */
export const recordAcceptedInvitation = staticWrite<
  { chatroomId: string; userId: string; now: number; isTold: 0 | 1 },
  unknown
>((db, param) => {
  const isTold = sql<boolean>`cast(${param('isTold')} as bigint) = 1`;
  return db
    .updateTable('chatroom_members')
    .set({
      invitation_accepted_at: sql`case when ${isTold} then cast(${param('now')} as bigint)
        else invitation_accepted_at end`,
      is_marked_unread: sql`case when ${isTold} then 1 else is_marked_unread end`,
    })
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('userId'));
});

/** A chatroom whose partner the user has blocked. */
export interface BlockedRow {
  id: string;
  /** Null if the partner's account was deleted. */
  partner_name: string | null;
  blocked_at: number;
}

/** Finds the chatrooms whose partners the user has blocked, most recently blocked first. */
export function findBlocked(db: Reader, userId: string): Promise<BlockedRow[]> {
  return relationships(db)
    .select(['me.chatroom_id as id', 'partner_user.username as partner_name'])
    .select((eb) => eb.ref('me.blocked_at').$notNull().as('blocked_at'))
    .where('me.user_id', '=', userId)
    .where('me.blocked_at', 'is not', null)
    .orderBy('me.blocked_at', 'desc')
    .orderBy('me.chatroom_id')
    .execute();
}
