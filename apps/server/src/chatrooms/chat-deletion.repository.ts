import type { Writer } from '../storage/storage.ts';

/**
 * Deletes a user's exports of a chat, and lets one of the whole account begin again that may contain a part of it: the
 * attempt stops once it notices. Returns the files of the deleted ones.
 */
export async function deleteExportsOfChat(
  trx: Writer,
  userId: string,
  chatroomId: string,
): Promise<string[]> {
  await trx
    .updateTable('exports')
    // The attempt counts as interrupted.
    .set((eb) => ({ status: 'waiting', file: null, done: 0, attempts: eb('attempts', '-', 1) }))
    .where('user_id', '=', userId)
    .where('chatroom_id', 'is', null)
    .where('status', '=', 'running')
    .execute();
  const deleted = await trx
    .deleteFrom('exports')
    .where('user_id', '=', userId)
    .where('chatroom_id', '=', chatroomId)
    .returning('file')
    .execute();
  return deleted.flatMap(({ file }) => file ?? []);
}
