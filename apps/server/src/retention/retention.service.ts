import { setTimeout as sleep } from 'node:timers/promises';
import { tellChat, tellChats } from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { idFloor } from '../storage/ids.ts';
import { isDeletedForBoth } from '../storage/no-content.ts';
import type { WriteContext } from '../storage/storage.ts';
import { BATCH, takeWithinLimits } from '../erasure/batch.ts';
import { softDelete } from '../messages/message-change.service.ts';
import { toDeletedMessage } from '../messages/message-view.service.ts';
import { isToldOf } from '../messages/recipients.ts';
import { findFiles, findMembers, findOldMessages } from './retention.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Deletes messages that are older than the retention period. */
export interface Retention {
  /** Deletes messages that have expired since the last call. */
  apply(signal: AbortSignal): Promise<void>;
}

/** Creates the retention of a server. `days` is the age at which messages are deleted. */
export function createRetention(ctx: Context, days: number): Retention {
  // Everything up to this id is deleted, so the next run starts after it.
  let position = '';
  return {
    async apply(signal) {
      // Ids sort by creation time, so the order of ids is the order of age.
      const limit = idFloor(Date.now() - days * DAY);
      // The clock was put back.
      if (limit < position) position = '';
      while (!signal.aborted) {
        const startedAt = performance.now();
        const messages = takeWithinLimits(
          await ctx.storage.read((db) => findOldMessages(db, position, limit, BATCH.rows)),
        );
        const last = messages.at(-1);
        if (last === undefined) return;
        const undeleted = messages.filter(({ deleted_at: at }) => !isDeletedForBoth(at));
        if (undeleted.length > 0) {
          const { files, told } = await ctx.storage.write((write) =>
            deleteMessages(write, position, last.id),
          );
          await tellChats(ctx.storage, told, tellChat);
          for (const file of files) await ctx.media.remove(file);
        }
        position = last.id;
        // Pause for as long as the batch took, so that users notice little.
        await sleep(performance.now() - startedAt);
      }
    },
  };
}

/**
 * Deletes the messages after one id up to another, as if their senders had deleted them. Returns
 * their files, and whom to tell the new states of their chats.
 */
async function deleteMessages(
  write: WriteContext,
  afterId: string,
  lastId: string,
): Promise<{ files: string[]; told: { chatroomId: string; userId: string }[] }> {
  const { trx, emit } = write;
  // Read again: a message may have been deleted since.
  const rows = await findOldMessages(trx, afterId, `${lastId}~`, BATCH.rows);
  const undeleted = rows.filter(({ deleted_at: at }) => !isDeletedForBoth(at));
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
      .filter((member) =>
        member.user_id === message.sender_id
          ? message.seq > member.own_cleared_seq
          : isToldOf(member, message),
      )
      .map((member) => member.user_id);
    emit({ type: 'message-deleted', deleted: toDeletedMessage(deleted), members: recipients });
    for (const userId of recipients) {
      told.set(`${message.chatroom_id}:${userId}`, { chatroomId: message.chatroom_id, userId });
    }
  }
  return { files, told: [...told.values()] };
}
