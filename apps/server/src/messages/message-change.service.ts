import type { WriteContext, Writer } from '../storage/storage.ts';
import * as repository from './message.repository.ts';
import { findExtras, toViews } from './message-view.service.ts';
import { recipientsOf } from './recipients.ts';

/**
 * Soft-deletes a message for both members and deletes the row of its upload. Returns the message
 * with its new revision. The caller emits the event.
 */
export async function softDelete<
  Message extends { id: string; chatroom_id: string; media_id: string | null },
>(trx: Writer, message: Message, now: number): Promise<Message & { rev: number }> {
  const rev = await repository.allocateRevs(trx, message.chatroom_id, 1);
  const deleted = { ...message, rev };
  await repository.softDeleteMessage(trx, deleted, now);
  return deleted;
}

/**
 * Soft-deletes messages of a chatroom. Each gets its own revision, so that a resync returns it as
 * deleted.
 */
export async function softDeleteAll(
  trx: Writer,
  chatroomId: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  const rev = await repository.allocateRevs(trx, chatroomId, ids.length);
  await repository.softDeleteMessages(trx, chatroomId, ids, rev - ids.length + 1, now);
}

/** Emits an update of a message that is displayed differently now, without marking it as edited. */
export async function announceChange(
  { trx, emit }: WriteContext,
  messageId: string,
  senderId: string,
): Promise<void> {
  const row = await repository.findMessageOfMember(trx, messageId, senderId);
  if (row === undefined) return;
  const changed = { ...row, rev: await repository.allocateRevs(trx, row.chatroom_id, 1) };
  await repository.updateContent(trx, changed);
  const extras = await findExtras(trx, [changed]);
  for (const view of toViews(changed, extras, recipientsOf(changed))) {
    emit({ type: 'message-edited', ...view });
  }
}
