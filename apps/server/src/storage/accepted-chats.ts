import { sql } from 'kysely';
import type { Reader } from './storage.ts';

/** Starts a query of the chats of users (`me`) who have accepted each other and whose accounts are not deleted. */
export function acceptedChats(db: Reader) {
  return db
    .selectFrom('chatroom_members as me')
    .innerJoin('users as me_user', 'me_user.id', 'me.user_id')
    .innerJoin('chatroom_members as partner', (join) =>
      join
        .onRef('partner.chatroom_id', '=', 'me.chatroom_id')
        .onRef('partner.user_id', '<>', 'me.user_id'),
    )
    .innerJoin('users as partner_user', 'partner_user.id', 'partner.user_id')
    .where('me.consent', '=', sql.lit('accepted'))
    .where('partner.consent', '=', sql.lit('accepted'))
    .where('me_user.ended_at', 'is', null)
    .where('partner_user.ended_at', 'is', null);
}
