import { setTimeout as sleep } from 'node:timers/promises';
import { tellChat, tellChats } from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { idFloor } from '../storage/ids.ts';
import type { WriteContext } from '../storage/storage.ts';
import { BATCH, takeWithinLimits } from '../erasure/batch.ts';
import { softDelete } from '../messages/message-change.service.ts';
import { toDeletedMessage } from '../messages/message-view.service.ts';
import { isToldOf } from '../messages/recipients.ts';
import {
  findFiles,
  findMembers,
  findExpiredMessages,
  findOldMessages,
  findPlacedMessages,
  type OldMessage,
} from './retention.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Deletes messages that are older than the retention period. */
export interface Retention {
  /** Deletes messages that have expired since the last call. */
  apply(signal: AbortSignal): Promise<void>;
}

/** Creates the retention of a server. `days` is the age at which messages are deleted. */
export function createRetention(ctx: Context, days: number): Retention {
  // Everything up to this id, and up to this place, is deleted, so the next run starts after it.
  let position = '';
  let placed = { place: 0, id: '' };

  /** Deletes messages by the times in their ids. */
  async function deleteOld(expiredBefore: number, signal: AbortSignal): Promise<void> {
    // Ids sort by creation time, so the order of ids is the order of age.
    const limit = idFloor(expiredBefore);
    // The clock was put back.
    if (limit < position) position = '';
    await repeat(signal, async () => {
      const messages = takeWithinLimits(
        await ctx.storage.read((db) => findOldMessages(db, position, limit, BATCH.rows)),
      );
      await deleteMessages(ctx, messages);
      position = messages.at(-1)?.id ?? position;
      return messages.length > 0;
    });
  }

  /**
   * Deletes messages that were sent while the clock was ahead, whose ids lie in the future. Their `created_at` is
   * corrected once the clock was put back.
   */
  async function deletePlaced(expiredBefore: number, signal: AbortSignal): Promise<void> {
    await repeat(signal, async () => {
      const messages = takeWithinLimits(
        await ctx.storage.read((db) => findPlacedMessages(db, placed, BATCH.rows)),
      );
      // They were sent in the order of their places.
      const young = messages.findIndex(({ created_at: sentAt }) => sentAt >= expiredBefore);
      const old = young < 0 ? messages : messages.slice(0, young);
      await deleteMessages(ctx, old);
      placed = old.at(-1) ?? placed;
      return old.length > 0 && young < 0;
    });
  }

  return {
    async apply(signal) {
      const expiredBefore = Date.now() - days * DAY;
      await deleteOld(expiredBefore, signal);
      await deletePlaced(expiredBefore, signal);
    },
  };
}

/** Repeats something while it returns true, with pauses as long as it took, so that users notice little. */
async function repeat(signal: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    if (!(await work())) return;
    await sleep(performance.now() - startedAt);
  }
}

/** Deletes those of the messages that are not deleted, with their files. */
async function deleteMessages(ctx: Context, messages: readonly OldMessage[]): Promise<void> {
  const undeleted = messages.filter((message) => message.deleted_at === null);
  if (undeleted.length === 0) return;
  const ids = undeleted.map(({ id }) => id);
  const { files, told } = await ctx.storage.write((write) => expireMessages(write, ids));
  await tellChats(ctx.storage, told, tellChat);
  for (const file of files) await ctx.media.remove(file);
}

/**
 * Soft-deletes messages as if their senders had deleted them. Returns their files, and whom to tell the new states
 * of their chats.
 */
async function expireMessages(
  write: WriteContext,
  ids: readonly string[],
): Promise<{ files: string[]; told: { chatroomId: string; userId: string }[] }> {
  const { trx, emit } = write;
  // Read again: a message may have been deleted since.
  const rows = await findExpiredMessages(trx, ids);
  const undeleted = rows.filter((message) => message.deleted_at === null);
  if (undeleted.length === 0) return { files: [], told: [] };
  const members = await findMembers(trx, [...new Set(undeleted.map((row) => row.chatroom_id))]);
  const files = await findFiles(
    trx,
    undeleted.map((row) => row.media_id).filter((id) => id !== null),
  );

  const told = new Map<string, { chatroomId: string; userId: string }>();
  const now = Date.now();
  for (const message of undeleted) {
    const deleted = await softDelete(trx, message, now);
    const recipients = (members.get(message.chatroom_id) ?? [])
      .filter((member) => member.user_id === message.sender_id || isToldOf(member, message))
      .map((member) => member.user_id);
    emit({ type: 'message-deleted', deleted: toDeletedMessage(deleted), members: recipients });
    for (const userId of recipients) {
      told.set(`${message.chatroom_id}:${userId}`, { chatroomId: message.chatroom_id, userId });
    }
  }
  return { files, told: [...told.values()] };
}
