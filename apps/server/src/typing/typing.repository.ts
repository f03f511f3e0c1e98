import { sql } from 'kysely';
import { acceptedChats } from '../storage/accepted-chats.ts';
import type { Reader } from '../storage/storage.ts';
import { staticSelect } from '../storage/static-query.ts';

const selectAddressee = staticSelect<
  { chatroomId: string; userId: string },
  { partner_id: string }
>((db, param) =>
  acceptedChats(db)
    .select('partner.user_id as partner_id')
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('me.user_id', '=', param('userId'))
    .where('me.blocked_at', 'is', null)
    .where('partner.blocked_at', 'is', null)
    .where('me_user.shares_typing', '=', sql.lit(1))
    .where('partner_user.shares_typing', '=', sql.lit(1)),
);

/**
 * Finds the partner who is told that a member is typing: both have accepted and not blocked each other
 * and share this.
 */
export async function findTypingAddressee(
  db: Reader,
  chatroomId: string,
  userId: string,
): Promise<string | undefined> {
  return (await selectAddressee(db, { chatroomId, userId })).rows[0]?.partner_id;
}
