import { setTimeout as sleep } from 'node:timers/promises';
import type { DeleteBody, DeletedMessage, EditBody, SendBody } from '@parley/contract';
import { tellChat } from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { newId } from '../storage/ids.ts';
import { Rollback, type WriteContext, type Writer } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { AppError } from '../errors/app-error.ts';
import { consumeMessageQuota, today } from '../quotas/quota.service.ts';
import { consumeRequestLimit } from '../quotas/request-limit.ts';
import type { MessageBody } from './message-body.ts';
import { startChange, type MessageChange } from './message-change.service.ts';
import * as repository from './message.repository.ts';
import {
  findExtras,
  toDeletedMessage,
  toNewViews,
  toView,
  toViews,
  viewAll,
} from './message-view.service.ts';
import {
  arrivesQuietly,
  assertCanWrite,
  hasAccepted,
  isSentAsRequest,
  isWithheld,
} from '../relationships/relationship.ts';
import { isDeletedForBoth } from '../storage/no-content.ts';
import { findQuotable, findQuoted } from './quote.repository.ts';
import { recipientsOf } from './recipients.ts';
import { tellAcceptance } from '../receipts/receipt.service.ts';
import * as sending from './sending.repository.ts';

/** A sent message, and whether this request sent it or an earlier one with the same `clientId`. */
export interface SendResult {
  message: ViewedMessage;
  isNew: boolean;
  /** Whether the message arrives as part of a quiet request. */
  isSentAsRequest: boolean;
}

/** Where to send a message, and what besides its content. */
export type SendOptions = Omit<SendBody, 'content' | 'uploadId'>;

/**
 * Sends a message to one of the sender's chatrooms.
 * @throws {AppError} `room_not_found`, `partner_deleted`, `partner_blocked`, `quota_messages`, `rate_limited`,
 * `storage_full`, `message_not_found` for a retried message that was deleted in the meantime, or `media_not_found`
 * without an unsent upload with this id, or of the `kind` if it is given.
 */
export async function sendMessage(
  ctx: Context,
  senderId: string,
  options: SendOptions,
  body: MessageBody,
): Promise<SendResult> {
  await ctx.disk.assertSpaceForMessage();
  return ctx.storage.write(
    async (write) => {
      const result = await postMessage(ctx, write, senderId, options, body);
      return result.isNew ? result : new Rollback(result);
    },
    { isConcurrent: true },
  );
}

/**
 * Sends a message within a write, which may have created the chatroom. The caller must roll back
 * the write unless the message is new, so that a retried message allocates no `seq`.
 *
 * A message to a partner who has blocked the sender is stored but withheld: only the sender sees it,
 * even if the partner unblocks the sender later. The sender must not be able to notice, so the
 * statements are the same and in the same order, and the block is only a value in them.
 */
export async function postMessage(
  ctx: Context,
  write: WriteContext,
  senderId: string,
  options: SendOptions,
  { uploadId, text, textKind }: MessageBody,
  isNewChatroom = false,
): Promise<SendResult> {
  const { trx, emit } = write;
  const { chatroom, clientId = null, kind, albumId = null, isForwarded = false, replyTo } = options;
  // Queries run in order, also if they do not wait for each other.
  const [position, room] = await Promise.all([
    sending.allocatePosition(trx, { chatroomId: chatroom }),
    sending.findSendingChatroom(trx, {
      chatroomId: chatroom,
      userId: senderId,
      clientId,
      day: today(),
    }),
  ]);
  if (position === undefined || room === undefined) throw new AppError('room_not_found');
  const isUnaccepted = room.partner_consent !== 'accepted';
  const isQuiet = arrivesQuietly(room) ? 1 : 0;
  if (room.earlier_id !== null) {
    const earlier = await repository.findMessageOfMember(trx, {
      messageId: room.earlier_id,
      userId: senderId,
    });
    if (earlier === undefined || earlier.deleted_at !== null) {
      throw new AppError('message_not_found');
    }
    const [message] = await viewAll(trx, [earlier], senderId);
    if (message === undefined) throw new AppError('message_not_found');
    // As the chat list says, whatever the partner has set since.
    const isRequest = room.partner_id !== null && isSentAsRequest(room);
    return { message, isNew: false, isSentAsRequest: isRequest };
  }
  assertCanWrite(room);
  await consumeMessageQuota(ctx.config, trx, senderId, room.counted ?? 0);
  if (isUnaccepted) await consumeRequestLimit(ctx.config, trx, senderId, isNewChatroom);

  const upload =
    uploadId === undefined ? undefined : await sending.findUnusedUpload(trx, senderId, uploadId);
  const content = upload === undefined ? text : '';
  const sentKind = upload?.kind ?? textKind;
  // Without the kind, the URL of an upload that was deleted as unused is sent as text.
  if (content === undefined || (kind !== undefined && kind !== sentKind)) {
    throw new AppError('media_not_found');
  }

  const chatroomId = room.id;
  const quotable = { messageId: replyTo ?? '', chatroomId, userId: senderId };
  const original = replyTo === undefined ? undefined : await findQuotable(trx, quotable);
  const withheld = isWithheld(room) ? 1 : 0;
  const now = Date.now();
  const row: repository.MessageRow = {
    id: newId(),
    chatroom_id: chatroomId,
    ...position,
    kind: sentKind,
    content,
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
    album_id: albumId,
    is_forwarded: isForwarded ? 1 : 0,
    reply_to_id: original?.id ?? null,
    active_at: ctx.activity.place(now),
  };
  // If the sender had read everything before, advance the read position past the new message, so
  // that unread counts do not have to scan it.
  const hasReadAll = room.read_seq === row.seq - 1;
  await Promise.all([
    sending.insertMessage(trx, {
      ...row,
      sender_id: senderId,
      media_id: upload?.id ?? null,
      withheld,
    }),
    hasReadAll && sending.setReadSeq(trx, { chatroomId, userId: senderId, seq: row.seq }),
    !hasAccepted(room) && sending.acceptPartner(trx, { chatroomId, userId: senderId }),
    isUnaccepted &&
      sending.markAsUnaccepted(trx, { chatroomId, userId: room.partner_id, withheld, isQuiet }),
  ]);

  const isSentQuietly = isUnaccepted && isQuiet === 1;
  const quoted = row.reply_to_id === null ? [] : await findQuoted(trx, [row.reply_to_id]);
  if (!hasAccepted(room)) emit({ type: 'relationship-changed', userId: senderId, chatroomId });
  const { partner_id: partnerId } = room;
  const recipients = withheld === 0 ? [senderId, partnerId] : [senderId];
  const views = toNewViews(row, quoted, recipients);
  for (const view of views) {
    const isForPartner = view.members.includes(partnerId);
    const isForSender = view.members.includes(senderId);
    emit({
      type: 'message-sent',
      ...view,
      ...(isUnaccepted &&
        isForPartner && { unaccepted: { userId: partnerId, isQuiet: isQuiet === 1 } }),
      ...(isSentQuietly && isForSender && { quietSenderId: senderId }),
    });
  }
  const own = views.find(({ members }) => members.includes(senderId));
  if (own === undefined) throw new Error('the sender does not see the message');
  if (!hasAccepted(room)) {
    await tellAcceptance(write, chatroomId, senderId, room.read_seq, tellChat);
  }
  return { message: own.message, isNew: true, isSentAsRequest: isSentQuietly };
}

/**
 * Changes the text of the user's own message, which no longer counts as forwarded. Does nothing if
 * the text is the same. For a partner who has blocked the user, the message is deleted from then on.
 * @throws {AppError} `message_not_found`, `not_sender`, `media_not_editable`, `partner_deleted`,
 * `partner_blocked`, `rate_limited`, `storage_full`
 */
export async function editMessage(
  ctx: Context,
  userId: string,
  { messageId, content }: EditBody,
): Promise<ViewedMessage> {
  await ctx.disk.assertSpaceForMessage();
  return ctx.storage.write(
    async ({ trx, emit }) => {
      const { row, rev } = await startOwnChange(trx, messageId, userId);
      if (row.kind !== 'text') throw new AppError('media_not_editable');
      assertCanWrite(row);
      const extras = await findExtras(trx, [row]);
      if (row.content === content) return new Rollback(toView(row, extras, userId));

      // A partner who has not accepted the user sees each edit.
      if (row.partner_consent !== 'accepted') await consumeRequestLimit(ctx.config, trx, userId);
      const edited = {
        ...row,
        content,
        rev,
        // The words are the user's own from then on.
        is_forwarded: 0,
        // The time increases even within a millisecond, because a time after the creation marks the
        // message as edited.
        updated_at: Math.max(Date.now(), row.updated_at + 1),
        // An edit never delivers a message that was withheld.
        withheld: row.partner_blocked_at === null ? row.withheld : 1,
      };
      await repository.updateContent(trx, edited);
      for (const view of toViews(edited, extras, recipientsOf(edited))) {
        emit({ type: 'message-edited', ...view });
      }
      return toView(edited, extras, userId);
    },
    { isConcurrent: true },
  );
}

/** Milliseconds that a deletion waits for its file. Until it is deleted, the eraser tries again. */
const REMOVAL_WAIT = 1_000;

/**
 * Soft-deletes the user's own message for both members and deletes its upload. Returns what remains of it. Also deletes
 * one that the user no longer sees, having deleted the chat. The user must not notice whether it has been erased since.
 * @throws {AppError} `message_not_found`, `not_sender`
 */
export async function deleteMessage(
  ctx: Context,
  userId: string,
  { messageId }: DeleteBody,
): Promise<DeletedMessage> {
  const { file, deleted } = await ctx.storage.write(
    async (write) => {
      const { trx, emit } = write;
      const { row, rev } = await startOwnChange(trx, messageId, userId, isOwnCleared);
      await repository.softDeleteMessage(trx, { ...row, rev }, Date.now());
      const deleted = toDeletedMessage({ ...row, rev });
      const members = recipientsOf(row);
      emit({ type: 'message-deleted', deleted, members });
      const { chatroom_id: chatroomId, partner_id: partnerId } = row;
      for (const memberId of [partnerId ?? '', userId]) {
        await tellChat(write, {
          chatroomId,
          userId: memberId,
          isTold: members.includes(memberId),
          isWithheld: isWithheld(row),
        });
      }
      return { file: row.file, deleted };
    },
    { isConcurrent: true },
  );
  if (file !== null) {
    const isOver = sleep(REMOVAL_WAIT, undefined, { ref: false });
    await Promise.race([ctx.media.remove(file), isOver]);
  }
  return deleted;
}

/**
 * Allocates a revision for a change of the user's own message. Returns it with the message.
 * @throws {AppError} `message_not_found`, `not_sender`
 */
async function startOwnChange(
  trx: Writer,
  messageId: string,
  userId: string,
  isChangeable?: (row: repository.ChangeableMessage) => boolean,
): Promise<MessageChange> {
  const change = await startChange(trx, messageId, userId, isChangeable);
  if (change.row.sender_id !== userId) throw new AppError('not_sender');
  return change;
}

/** Returns whether the user has deleted the chat since the user sent a message, but not the message. */
function isOwnCleared(row: repository.ChangeableMessage): boolean {
  const { sender_id: senderId, user_id: userId, stored_deleted_at: deletedAt } = row;
  return senderId === userId && row.seq <= row.own_cleared_seq && !isDeletedForBoth(deletedAt);
}
