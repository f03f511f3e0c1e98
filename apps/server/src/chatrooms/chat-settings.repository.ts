import { relationships } from '../storage/relationships.ts';
import type { Reader } from '../storage/storage.ts';
import { isVisibleToPartner } from '../storage/visibility.ts';

/** Returns whether the user sees a message of the partner after `seq` that is not deleted. */
export async function hasMessageAfter(
  db: Reader,
  chatroomId: string,
  userId: string,
  seq: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('messages as later')
    .innerJoin('chatroom_members as me', 'me.chatroom_id', 'later.chatroom_id')
    .select('later.id')
    .where('me.user_id', '=', userId)
    .where('later.chatroom_id', '=', chatroomId)
    .where('later.seq', '>', seq)
    .where('later.sender_id', '<>', userId)
    .where('later.deleted_at', 'is', null)
    .where(isVisibleToPartner('later', 'me'))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Counts the chats that a user has pinned. Those with deleted or blocked partners do not count. */
export async function countPinned(db: Reader, userId: string): Promise<number> {
  const { count } = await relationships(db)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('me.user_id', '=', userId)
    .where('me.is_pinned', '=', 1)
    .where('me.blocked_at', 'is', null)
    .where('partner_user.id', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}
