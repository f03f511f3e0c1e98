import { sql } from 'kysely';
import { relationships } from '../storage/relationships.ts';
import type { Reader } from '../storage/storage.ts';
import { isReceived, viewpointOf } from '../storage/visibility.ts';

/** Returns whether the user sees a message of the partner after `seq` that is not deleted. */
export async function hasMessageAfter(
  db: Reader,
  chatroomId: string,
  userId: string,
  seq: number,
): Promise<boolean> {
  const later = await relationships(db)
    .select(
      sql`(select seq from messages
      where ${isReceived('messages', viewpointOf('me'), seq)} limit 1)`.as('seq'),
    )
    .where('me.user_id', '=', userId)
    .where('me.chatroom_id', '=', chatroomId)
    .executeTakeFirst();
  return (later?.seq ?? null) !== null;
}

/**
 * Returns the chatrooms that a user has pinned and their ranks, ordered by id. Those with deleted or blocked partners do
 * not count.
 */
export function findPinned(
  db: Reader,
  userId: string,
): Promise<{ chatroom_id: string; pin_rank: number }[]> {
  return relationships(db)
    .select(['me.chatroom_id', 'me.pin_rank'])
    .where('me.user_id', '=', userId)
    .where('me.is_pinned', '=', 1)
    .where('me.blocked_at', 'is', null)
    .where('partner_user.id', 'is not', null)
    .orderBy('me.chatroom_id')
    .execute();
}
