import type { Unit } from '../db/write-queue.ts';
import * as repository from './departure.repository.ts';

/**
 * The part of deleting an account that concerns its rooms, inside of the write that deletes it and
 * before its row goes: erases the messages that the person sent, removes the rooms in which nobody
 * else is left, and tells the partners. The membership goes with the account's row.
 */
export async function leaveAllRooms({ trx, emit }: Unit, userId: string): Promise<void> {
  const rooms = await repository.listLeftRooms(trx, userId);
  await repository.deleteRoomsOnlyOf(trx, userId);
  await repository.buryMessagesOf(trx, userId, Date.now());
  for (const { id, partner_id: partnerId } of rooms) {
    if (partnerId !== null) emit({ type: 'partner-deleted', chatroom: id, members: [partnerId] });
  }
}
