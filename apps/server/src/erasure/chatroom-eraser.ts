import { lockChatroom } from '../chat-states/chat-state.service.ts';
import { softDeleteUnseen } from '../messages/message-change.service.ts';
import type { Reader, Writer } from '../storage/storage.ts';
import { BATCH, takeWithinLimits } from './batch.ts';
import {
  findMessagesUpTo,
  findSenders,
  type ErasableMessage,
} from './chatroom-eraser.repository.ts';

/**
 * Erases the next messages of a chatroom that no member sees any more, inside a write: both have deleted them, each for
 * themselves, or one has and they were withheld from the other or the account of the other has ended. Returns whether
 * any were left.
 */
export async function eraseUnseenMessages(trx: Writer, chatroomId: string): Promise<boolean> {
  await lockChatroom(trx, { chatroomId });
  const messages = takeWithinLimits(await findUnseenMessages(trx, chatroomId));
  await softDeleteUnseen(trx, messages);
  return messages.length > 0;
}

async function findUnseenMessages(db: Reader, chatroomId: string): Promise<ErasableMessage[]> {
  for (const sender of await findSenders(db, chatroomId)) {
    const { user_id: userId, own_cleared_seq: own, partner_cleared_seq: partner } = sender;
    for (const withheld of [0, 1] as const) {
      const seq = withheld === 1 ? own : Math.min(own, partner ?? own);
      const found = await findMessagesUpTo(db, chatroomId, userId, withheld, seq, BATCH.rows);
      if (found.length > 0) return found;
    }
  }
  return [];
}
