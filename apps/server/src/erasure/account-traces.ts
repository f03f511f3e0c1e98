import type { Writer } from '../storage/storage.ts';
import { softDeleteAll } from '../messages/message-change.service.ts';
import * as repository from './account-traces.repository.ts';
import { SLICE, withinBytes } from './slice.ts';

/** Erases what one ended account left, a slice at a time. */
export interface AccountTraces {
  /** Works on the next slice within a write. Returns whether anything may be left. */
  eraseSlice(trx: Writer): Promise<boolean>;
}

/** Begins at the start: what an earlier run has erased is passed over quickly. */
export function createAccountTraces(userId: string): AccountTraces {
  /** How far the messages of a chatroom are emptied. */
  let reached = { chatroomId: '', seq: 0 };

  async function softDeleteSome(trx: Writer, room: repository.LeftChatroom): Promise<void> {
    const after = reached.chatroomId === room.id ? reached.seq : 0;
    const last = Math.min(after + SLICE.places, room.last_seq);
    const found = await repository.findSentMessages(trx, room.id, userId, after, last, SLICE.rows);
    const messages = withinBytes(found);
    const isThrough = messages.length === found.length && found.length < SLICE.rows;
    const seq = isThrough ? last : (messages.at(-1)?.seq ?? last);

    await repository.detachMessages(
      trx,
      messages.map(({ id }) => id),
    );
    const living = messages.filter(({ deleted_at }) => deleted_at === null);
    const ids = living.map(({ id }) => id);
    await softDeleteAll(trx, room.id, ids, Date.now());
    if (seq >= room.last_seq) await repository.deleteMembership(trx, room.id, userId);
    reached = { chatroomId: room.id, seq };
  }

  /**
   * Nobody is left in the chatroom: its messages go, and then the chatroom. They are emptied first, as
   * SQLite copies what lies beside a deleted row when it merges pages.
   */
  async function deleteSomeOfChatroom(trx: Writer, id: string): Promise<void> {
    const after = reached.chatroomId === id ? reached.seq : 0;
    const messages = withinBytes(
      await repository.findMessagesOfChatroom(trx, id, after, SLICE.rows),
    );
    const last = messages.at(-1);
    if (last !== undefined) {
      await repository.clearMessages(
        trx,
        messages.map((message) => message.id),
      );
      reached = { chatroomId: id, seq: last.seq };
      return;
    }
    const emptied = await repository.findMessagesOfChatroom(trx, id, 0, SLICE.rows);
    if (emptied.length === 0) return repository.deleteChatroom(trx, id);
    await repository.deleteMessageRows(
      trx,
      emptied.map((message) => message.id),
    );
  }

  return {
    async eraseSlice(trx) {
      const room = await repository.findLeftChatroom(trx, userId);
      if (room !== undefined) {
        if (room.has_partner === 1) await softDeleteSome(trx, room);
        else await deleteSomeOfChatroom(trx, room.id);
        return true;
      }
      if ((await repository.deleteUploadRows(trx, userId, SLICE.rows)) > 0) return true;
      await repository.deleteUser(trx, userId);
      return false;
    },
  };
}
