import { sql } from 'kysely';
import {
  CONDITIONS,
  RELATIONSHIP,
  relationships,
  type Relationship,
} from '../storage/relationships.ts';
import { staticFind, staticWrite } from '../storage/static-query.ts';

/** What decides about a member's receipts and who is told about them. */
export interface ReceiptState extends Relationship {
  last_seq: number;
  block_start_seq: number;
  block_end_seq: number;
}

/** Finds a member's receipt state. Returns undefined if the user is not a member. */
export const findReceiptState = staticFind<{ chatroomId: string; userId: string }, ReceiptState>(
  (db, param) =>
    relationships(db)
      .innerJoin('chatrooms as room', 'room.id', 'me.chatroom_id')
      .select(RELATIONSHIP)
      .select(['room.last_seq', 'me.block_start_seq', 'me.block_end_seq'])
      .where('me.chatroom_id', '=', param('chatroomId'))
      .where('me.user_id', '=', param('userId')),
);

/** Positions that a member tells the partner. */
export interface Receipt {
  deliveredSeq: number;
  readSeq: number;
}

/**
 * Advances the positions that a member tells the partner, unless the member blocks the partner, has
 * not accepted them or does not share receipts. Returns undefined if nothing has changed.
 */
export const advanceReceipt = staticWrite<
  Receipt & { chatroomId: string; userId: string },
  Receipt
>((db, param) =>
  db
    .updateTable('chatroom_members')
    .set({
      delivered_seq: sql<number>`case when delivered_seq < cast(${param('deliveredSeq')} as bigint)
        then cast(${param('deliveredSeq')} as bigint) else delivered_seq end`,
      seen_seq: sql<number>`case when seen_seq < cast(${param('readSeq')} as bigint)
        then cast(${param('readSeq')} as bigint) else seen_seq end`,
    })
    .where('chatroom_id', '=', param('chatroomId'))
    .where('user_id', '=', param('userId'))
    .where((eb) =>
      eb.or([
        eb('delivered_seq', '<', param('deliveredSeq')),
        eb('seen_seq', '<', param('readSeq')),
      ]),
    )
    .where(CONDITIONS.isToldReceipts('chatroom_members'))
    .returning(['delivered_seq as deliveredSeq', 'seen_seq as readSeq']),
);
