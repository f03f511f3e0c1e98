import type { DeleteBody, EditBody, Message, SendBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { newId } from '../storage/ids.ts';
import { Rollback, type WriteContext, type Writer } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import { removeFiles } from '../media/media-store.ts';
import { consumeMessageQuota } from '../quotas/quota.service.ts';
import { parseContent, parseText, type ParsedContent } from './message-content.ts';
import * as repository from './message.repository.ts';
import * as sending from './sending.repository.ts';
import { toDeletedMessage, toMessage, type MessageRow } from './message.wire.ts';

/** A message that was sent, now or by an earlier request with the same `clientId`. */
export interface SendResult {
  message: Message;
  isNew: boolean;
}

/**
 * Sends a message into one of the sender's rooms.
 * @throws {AppError} `invalid_request`, `room_not_found`, `partner_deleted`, `quota_messages`,
 * and `message_not_found` for a repeated message that was deleted meanwhile.
 */
export async function sendMessage(
  ctx: Context,
  senderId: string,
  body: SendBody,
): Promise<SendResult> {
  const parsed = parseContent(ctx.config, body.content);
  await ctx.disk.assertRoomForMessage();
  return ctx.storage.write(async (write) => {
    const sent = await postMessage(ctx, write, senderId, body, parsed);
    return sent.isNew ? sent : new Rollback(sent);
  });
}

/**
 * {@link sendMessage} inside of a write, which may have created the chatroom. The write has to be
 * undone
 * unless the message is new, so that a repeated one takes no place.
 */
export async function postMessage(
  ctx: Context,
  { trx, emit }: WriteContext,
  senderId: string,
  { chatroom, clientId = null }: { chatroom: string; clientId?: string | null },
  parsed: ParsedContent,
): Promise<SendResult> {
  const place = await sending.allocatePlace(trx, chatroom);
  const room = await sending.findSendingChatroom(trx, chatroom, senderId, clientId);
  if (place === undefined || room === undefined) throw new AppError('room_not_found');
  if (room.earlier_id !== null) {
    const earlier = await repository.findMessageOfMember(trx, room.earlier_id, senderId);
    if (earlier === undefined || earlier.deleted_at !== null) {
      throw new AppError('message_not_found');
    }
    return { message: toMessage(ctx.config, earlier), isNew: false };
  }
  if (room.partner_id === null) throw new AppError('partner_deleted');
  await consumeMessageQuota(ctx.config, trx, senderId);

  const upload =
    parsed.file === undefined
      ? undefined
      : await sending.findUnusedUpload(trx, senderId, parsed.file);

  const now = Date.now();
  const row: MessageRow = {
    id: newId(),
    chatroom_id: room.id,
    ...place,
    kind: upload?.kind ?? 'text',
    content: upload === undefined ? parsed.text : '',
    client_id: clientId,
    created_at: now,
    updated_at: now,
    username: room.username,
    file: upload?.file ?? null,
    width: upload?.width ?? null,
    height: upload?.height ?? null,
    is_blocked: upload?.is_blocked ?? null,
    duration_ms: upload?.duration_ms ?? null,
    peaks: upload?.peaks ?? null,
  };
  await sending.insertMessage(trx, {
    id: row.id,
    chatroomId: room.id,
    seq: row.seq,
    rev: row.rev,
    senderId,
    kind: row.kind,
    content: row.content,
    mediaId: upload?.id ?? null,
    clientId,
    now,
  });
  // Who had read everything has read their own message, too: unread counts need not look at it again.
  if (room.read_seq === row.seq - 1) {
    await sending.setReadSeq(trx, room.id, senderId, row.seq);
  }

  const message = toMessage(ctx.config, row);
  emit({ type: 'message-sent', message, members: [senderId, room.partner_id] });
  return { message, isNew: true };
}

/**
 * Changes the text of the sender's own message. The same text again changes nothing.
 * @throws {AppError} `invalid_request`, `message_not_found`, `not_sender`, `media_not_editable`,
 * `partner_deleted`
 */
export async function editMessage(ctx: Context, userId: string, body: EditBody): Promise<Message> {
  const content = parseText(body.content);
  await ctx.disk.assertRoomForMessage();
  return ctx.storage.write(async ({ trx, emit }) => {
    const { row, rev } = await getOwnMessage(trx, body.messageId, userId);
    if (row.kind !== 'text') throw new AppError('media_not_editable');
    if (row.partner_id === null) throw new AppError('partner_deleted');
    if (row.content === content) return new Rollback(toMessage(ctx.config, row));

    const edited = {
      ...row,
      content,
      rev,
      // Later than before even within the same millisecond: that is what marks it as edited.
      updated_at: Math.max(Date.now(), row.updated_at + 1),
    };
    await repository.updateContent(trx, edited);
    const message = toMessage(ctx.config, edited);
    emit({ type: 'message-edited', message, members: [userId, row.partner_id] });
    return message;
  });
}

/**
 * Deletes the sender's own message for both, and its upload with it.
 * @throws {AppError} `message_not_found`, `not_sender`
 */
export async function deleteMessage(
  ctx: Context,
  userId: string,
  { messageId }: DeleteBody,
): Promise<void> {
  const file = await ctx.storage.write(async ({ trx, emit }) => {
    const { row, rev } = await getOwnMessage(trx, messageId, userId);
    const deleted = { ...row, rev };
    await repository.softDeleteMessage(trx, deleted, Date.now());
    const members = row.partner_id === null ? [userId] : [userId, row.partner_id];
    emit({ type: 'message-deleted', deleted: toDeletedMessage(deleted), members });
    return row.file;
  });
  if (file !== null) await removeFiles(ctx, [file]);
}

/** A message that the user may change, with the next revision of its chatroom. */
async function getOwnMessage(
  trx: Writer,
  messageId: string,
  userId: string,
): Promise<{ row: repository.ChangeableMessage; rev: number }> {
  const rev = await repository.allocateRevOfMessage(trx, messageId);
  const row = await repository.findMessageOfMember(trx, messageId, userId);
  if (rev === undefined || row === undefined || row.deleted_at !== null) {
    throw new AppError('message_not_found');
  }
  if (row.sender_id !== userId) throw new AppError('not_sender');
  return { row, rev };
}
