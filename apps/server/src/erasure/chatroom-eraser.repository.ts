import { sql } from 'kysely';
import { relationships } from '../storage/relationships.ts';
import type { Reader } from '../storage/storage.ts';

/** A member of a chatroom, as the sender of messages. */
export interface SendingMember {
  user_id: string;
  /** The member sees none of them up to this `seq`. */
  own_cleared_seq: number;
  /** The partner sees none of them up to this `seq`. Null if the partner's account has ended. */
  partner_cleared_seq: number | null;
}

/** Finds the members of a chatroom whose accounts have not ended. */
export function findSenders(db: Reader, chatroomId: string): Promise<SendingMember[]> {
  return relationships(db)
    .select((eb) => [
      'me.user_id',
      'me.own_cleared_seq',
      eb
        .case()
        .when('partner_user.id', 'is not', null)
        .then(eb.ref('partner.cleared_seq'))
        .end()
        .as('partner_cleared_seq'),
    ])
    .where('me.chatroom_id', '=', chatroomId)
    .orderBy('me.user_id')
    .execute();
}

/** A message to erase. */
export interface ErasableMessage {
  id: string;
  chatroom_id: string;
  seq: number;
  rev: number;
  media_id: string | null;
  /** Size of its content. */
  bytes: number;
}

/** Finds the first messages of a member up to a `seq` that are withheld from the partner or not, without deleted ones. */
export function findMessagesUpTo(
  db: Reader,
  chatroomId: string,
  senderId: string,
  withheld: 0 | 1,
  seq: number,
  limit: number,
): Promise<ErasableMessage[]> {
  return db
    .selectFrom('messages')
    .select([
      'id',
      'chatroom_id',
      'seq',
      'rev',
      'media_id',
      sql<number>`octet_length(content)`.as('bytes'),
    ])
    .where('chatroom_id', '=', chatroomId)
    .where('sender_id', '=', senderId)
    .where('withheld', '=', withheld)
    .where('deleted_at', 'is', null)
    .where('seq', '<=', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
