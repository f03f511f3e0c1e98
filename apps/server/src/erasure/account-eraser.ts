import { isDeletedForBoth } from '../storage/no-content.ts';
import type { Writer } from '../storage/storage.ts';
import { softDeleteAll } from '../messages/message-change.service.ts';
import { eraseSomeReportsAbout } from '../reports/report.service.ts';
import * as repository from './account-eraser.repository.ts';
import { BATCH, takeWithinLimits } from './batch.ts';
import { queueErasure } from './erasure.repository.ts';

/** Erases the data of one deleted account in batches. */
export interface AccountEraser {
  /** Erases the next batch inside a write. Returns whether anything may remain. */
  eraseBatch(trx: Writer): Promise<boolean>;
}

/** Creates the eraser of an account. It quickly skips what an earlier run has erased. */
export function createAccountEraser(userId: string): AccountEraser {
  /** The last chatroom in which messages were deleted, and the `seq` of the last one. */
  let deleted = { chatroomId: '', seq: 0 };
  /** The last chatroom in which messages lost their content, and the `rev` of the last one. */
  let cleared = { chatroomId: '', rev: 0 };

  async function softDeleteSome(
    trx: Writer,
    chatroom: repository.RemainingChatroom,
  ): Promise<void> {
    const found = await repository.findSentMessages(trx, {
      chatroomId: chatroom.id,
      userId,
      afterSeq: deleted.chatroomId === chatroom.id ? deleted.seq : 0,
      limit: BATCH.rows,
    });
    const messages = takeWithinLimits(found);
    const isComplete = messages.length === found.length && found.length < BATCH.rows;

    await repository.detachMessages(
      trx,
      messages.map(({ id }) => id),
    );
    const undeleted = messages.filter(({ deleted_at: at }) => !isDeletedForBoth(at));
    const ids = undeleted.map(({ id }) => id);
    await softDeleteAll(trx, chatroom.id, ids, Date.now());
    if (isComplete && (await repository.deleteMembership(trx, chatroom.id, userId))) {
      await queueErasure(trx, 'chatroom', chatroom.id);
    }
    deleted = { chatroomId: chatroom.id, seq: messages.at(-1)?.seq ?? 0 };
  }

  /**
   * Deletes a chatroom without remaining members: first its messages, then the chatroom. Messages lose
   * their content first because SQLite copies data next to a deleted row when it merges pages.
   */
  async function deleteSomeOfChatroom(trx: Writer, id: string): Promise<void> {
    const after = cleared.chatroomId === id ? cleared.rev : 0;
    const messages = takeWithinLimits(
      await repository.findMessagesOfChatroom(trx, id, after, BATCH.rows),
    );
    const last = messages.at(-1);
    if (last !== undefined) {
      await repository.clearMessages(
        trx,
        messages.map((message) => message.id),
      );
      cleared = { chatroomId: id, rev: last.rev };
      return;
    }
    const emptied = await repository.findMessagesOfChatroom(trx, id, 0, BATCH.rows);
    if (emptied.length === 0) return repository.deleteChatroom(trx, id);
    await repository.deleteMessageRows(
      trx,
      emptied.map((message) => message.id),
    );
  }

  return {
    async eraseBatch(trx) {
      const chatroom = await repository.findRemainingChatroom(trx, userId);
      if (chatroom !== undefined) {
        if (chatroom.has_partner === 1) await softDeleteSome(trx, chatroom);
        else await deleteSomeOfChatroom(trx, chatroom.id);
        return true;
      }
      if ((await repository.deleteReactionRows(trx, userId, BATCH.rows)) > 0) return true;
      if ((await repository.deleteUploadRows(trx, userId, BATCH.rows)) > 0) return true;
      if (await eraseSomeReportsAbout(trx, userId)) return true;
      await repository.deleteUser(trx, userId);
      return false;
    },
  };
}
