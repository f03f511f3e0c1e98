import type { Context } from '../context.ts';
import type { Unit } from '../db/write-queue.ts';
import { removeFiles } from '../media/media-store.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
import {
  buryMessagesOf,
  deleteLonelyRooms,
  deleteUser,
  findSharedRooms,
  findUploadedFiles,
} from './account-deletion.repository.ts';

/**
 * Erases an account within a write: keys, sessions, uploads and the content of every message it
 * sent. Partners keep their rooms with their own messages; a room in which nobody is left goes.
 * Returns the files of the uploads, to be removed once the write is committed.
 */
export async function eraseAccount(unit: Unit, userId: string): Promise<string[]> {
  const { trx, emit } = unit;
  const shared = await findSharedRooms(trx, userId);
  const files = await findUploadedFiles(trx, userId);
  await endSessionsOf(unit, userId, 'account-deleted');
  await deleteLonelyRooms(trx, userId);
  await buryMessagesOf(trx, userId, Date.now());
  await deleteUser(trx, userId);
  for (const { chatroom, partnerId } of shared) {
    emit({ type: 'partner-deleted', chatroom, members: [partnerId] });
  }
  return files;
}

/** Deletes somebody's account, and then the files of their uploads. */
export async function deleteAccount(ctx: Context, userId: string): Promise<void> {
  const files = await ctx.writes.write((unit) => eraseAccount(unit, userId));
  await removeFiles(ctx, files);
}
