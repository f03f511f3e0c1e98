import { AppError } from '../errors/app-error.ts';
import { UNSEEN } from '../storage/no-content.ts';
import type { WriteContext, Writer } from '../storage/storage.ts';
import * as repository from './message.repository.ts';
import { findExtras, toViews } from './message-view.service.ts';
import { recipientsOf } from './recipients.ts';

export { keepClearedSize } from './message.repository.ts';

/** A message that a user changes, and the revision of the change. */
export interface MessageChange {
  readonly row: repository.ChangeableMessage;
  readonly rev: number;
}

/**
 * Allocates a revision for a change of a message that the user sees, or that `isChangeable` allows nevertheless. Returns
 * it with the message.
 * @throws {AppError} `message_not_found`
 */
export async function startChange(
  trx: Writer,
  messageId: string,
  userId: string,
  isChangeable: (row: repository.ChangeableMessage) => boolean = () => false,
): Promise<MessageChange> {
  const allocated = await repository.allocateRevOfMessage(trx, { messageId });
  const row = await repository.findMessageOfMember(trx, { messageId, userId });
  const isFound = row !== undefined && (row.deleted_at === null || isChangeable(row));
  if (allocated === undefined || !isFound) throw new AppError('message_not_found');
  return { row, rev: allocated.rev };
}

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

/**
 * Soft-deletes messages that no member sees any more, and deletes the rows of their uploads. They keep their revisions:
 * a resync has returned them as deleted before.
 */
export async function softDeleteUnseen(
  trx: Writer,
  messages: readonly Parameters<typeof repository.softDeleteMessage>[1][],
): Promise<void> {
  for (const message of messages) await repository.softDeleteMessage(trx, message, UNSEEN);
}

/** Emits an update of a message that is displayed differently now, without marking it as edited. */
export async function announceChange(
  { trx, emit }: WriteContext,
  messageId: string,
  senderId: string,
): Promise<void> {
  const row = await repository.findSentMessage(trx, { messageId, userId: senderId });
  if (row === undefined) return;
  const changed = { ...row, rev: await repository.allocateRevs(trx, row.chatroom_id, 1) };
  await repository.updateContent(trx, changed);
  const extras = await findExtras(trx, [changed]);
  for (const view of toViews(changed, extras, recipientsOf(changed))) {
    emit({ type: 'message-edited', ...view });
  }
}
