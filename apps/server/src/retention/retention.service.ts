import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { idFloor } from '../storage/ids.ts';
import type { WriteContext } from '../storage/storage.ts';
import { SLICE, withinBytes } from '../erasure/slice.ts';
import { removeFiles } from '../media/media-store.ts';
import { softDelete } from '../messages/message-change.service.ts';
import { toDeletedMessage } from '../messages/message.wire.ts';
import { findFiles, findMembers, findOldMessages } from './retention.repository.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Deletes messages that are older than the retention time. */
export interface Retention {
  /** Looks through everything that has become too old since the last time. */
  apply(signal: AbortSignal): Promise<void>;
}

/** Makes the one retention of a server; `days` is the age at which messages go. */
export function createRetention(ctx: Context, days: number): Retention {
  // What was looked at is deleted: the next time begins behind it.
  let reached = '';
  return {
    async apply(signal) {
      // An id tells when it was made, so the order of ids is that of age.
      const limit = idFloor(Date.now() - days * DAY);
      while (!signal.aborted) {
        const begun = performance.now();
        const messages = withinBytes(
          await ctx.storage.read((db) => findOldMessages(db, reached, limit, SLICE.rows)),
        );
        const last = messages.at(-1);
        if (last === undefined) return;
        const living = messages.filter((message) => message.deleted_at === null);
        if (living.length > 0) {
          const files = await ctx.storage.write((write) => deleteMessages(write, reached, last.id));
          await removeFiles(ctx, files);
        }
        reached = last.id;
        // As long as the slice took, so that users who chat meanwhile notice little.
        await sleep(performance.now() - begun);
      }
    },
  };
}

/** Deletes the messages after one id up to another, as their senders could. Returns their files. */
async function deleteMessages(
  write: WriteContext,
  afterId: string,
  lastId: string,
): Promise<string[]> {
  const { trx, emit } = write;
  // Read once more: somebody may have deleted one of them meanwhile.
  const rows = await findOldMessages(trx, afterId, `${lastId}~`, SLICE.rows);
  const living = rows.filter((message) => message.deleted_at === null);
  if (living.length === 0) return [];
  const members = await findMembers(trx, [...new Set(living.map((row) => row.chatroom_id))]);
  const files = await findFiles(
    trx,
    living.map((row) => row.media_id).filter((id) => id !== null),
  );

  const now = Date.now();
  for (const message of living) {
    const deleted = await softDelete(trx, message, now);
    emit({
      type: 'message-deleted',
      deleted: toDeletedMessage(deleted),
      members: members.get(message.chatroom_id) ?? [],
    });
  }
  return files;
}
