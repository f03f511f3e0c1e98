import type { DeleteBody, EditBody, Message, SendBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { newId } from '../db/ids.ts';
import type { Unit } from '../db/write-queue.ts';
import { AppError } from '../errors/app-error.ts';
import { removeFiles } from '../media/media-store.ts';
import { chargeMessage } from '../quotas/quota.service.ts';
import { readContent, readText, type Draft } from './message-content.ts';
import * as repository from './message.repository.ts';
import * as sending from './sending.repository.ts';
import { toDeletedMessage, toMessage, type MessageRow } from './message.wire.ts';

/** A message that was sent, now or by an earlier request with the same `clientId`. */
export interface Sent {
  message: Message;
  isNew: boolean;
}

/**
 * Sends a message into one of the sender's rooms.
 * @throws {AppError} `invalid_request`, `room_not_found`, `partner_deleted`, `quota_messages`,
 * and `message_not_found` for a repeated message that was deleted meanwhile.
 */
export async function sendMessage(ctx: Context, senderId: string, body: SendBody): Promise<Sent> {
  const draft = readContent(ctx.config, body.content);
  await ctx.disk.assertRoomForMessage();
  return ctx.writes.write((unit) => postMessage(ctx, unit, senderId, body, draft));
}

/** {@link sendMessage} inside of a write, for a room that may have been made in the same. */
export async function postMessage(
  ctx: Context,
  { trx, emit }: Unit,
  senderId: string,
  { chatroom, clientId = null }: { chatroom: string; clientId?: string | null },
  draft: Draft,
): Promise<Sent> {
  const room = await sending.findSendingRoom(trx, chatroom, senderId, clientId);
  if (room === undefined) throw new AppError('room_not_found');
  if (room.earlier_id !== null) {
    const earlier = await repository.findMessageOfMember(trx, room.earlier_id, senderId);
    if (earlier === undefined || earlier.deleted_at !== null) {
      throw new AppError('message_not_found');
    }
    return { message: toMessage(ctx.config, earlier), isNew: false };
  }
  if (room.partner_id === null) throw new AppError('partner_deleted');
  await chargeMessage(ctx.config, trx, senderId);

  const upload =
    draft.file === undefined
      ? undefined
      : await sending.findUnusedUpload(trx, senderId, draft.file);

  const now = Date.now();
  const row: MessageRow = {
    id: newId(),
    chatroom_id: room.id,
    seq: room.last_seq + 1,
    rev: room.last_rev + 1,
    kind: upload?.kind ?? 'text',
    content: upload === undefined ? draft.text : '',
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
    roomId: room.id,
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
  if (room.read_seq === room.last_seq) {
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
  const content = readText(body.content);
  await ctx.disk.assertRoomForMessage();
  return ctx.writes.write(async ({ trx, emit }) => {
    const row = await findOwnMessage(trx, body.messageId, userId);
    if (row.kind !== 'text') throw new AppError('media_not_editable');
    if (row.partner_id === null) throw new AppError('partner_deleted');
    if (row.content === content) return toMessage(ctx.config, row);

    const edited = {
      ...row,
      content,
      rev: row.last_rev + 1,
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
  const file = await ctx.writes.write(async ({ trx, emit }) => {
    const row = await findOwnMessage(trx, messageId, userId);
    const buried = { ...row, rev: row.last_rev + 1 };
    await repository.buryMessage(trx, buried, Date.now());
    const members = row.partner_id === null ? [userId] : [userId, row.partner_id];
    emit({ type: 'message-deleted', deleted: toDeletedMessage(buried), members });
    return row.file;
  });
  if (file !== null) await removeFiles(ctx, [file]);
}

async function findOwnMessage(
  trx: Unit['trx'],
  messageId: string,
  userId: string,
): Promise<repository.ChangeableMessage> {
  const row = await repository.findMessageOfMember(trx, messageId, userId);
  if (row === undefined || row.deleted_at !== null) throw new AppError('message_not_found');
  if (row.sender_id !== userId) throw new AppError('not_sender');
  return row;
}
