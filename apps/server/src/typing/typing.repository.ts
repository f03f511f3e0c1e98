import { sql } from 'kysely';
import type { Reader } from '../storage/storage.ts';
import { staticSelect } from '../storage/static-query.ts';

const selectAddressee = staticSelect<
  { chatroomId: string; userId: string },
  { partner_id: string }
>((db, param) =>
  db
    .selectFrom('chatroom_members as me')
    .innerJoin('users as me_user', 'me_user.id', 'me.user_id')
    .innerJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'me.chatroom_id')
        .onRef('partner.user_id', '<>', 'me.user_id'),
    )
    .innerJoin('users as partner_user', 'partner_user.id', 'partner.user_id')
    .select('partner.user_id as partner_id')
    .where('me.chatroom_id', '=', param('chatroomId'))
    .where('me.user_id', '=', param('userId'))
    .where('me.consent', '=', sql.lit('accepted'))
    .where('partner.consent', '=', sql.lit('accepted'))
    .where('me.blocked_at', 'is', null)
    .where('partner.blocked_at', 'is', null)
    .where('me_user.shares_typing', '=', sql.lit(1))
    .where('partner_user.shares_typing', '=', sql.lit(1))
    .where('partner_user.ended_at', 'is', null),
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
