import type { DeleteChatBody } from '@parley/contract';
import {
  findOwnChat,
  lockChatroom,
  tellMemberChange,
  toViewedChat,
} from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { queueChatroomErasure, queueFileErasure } from '../erasure/erasure.service.ts';
import { hasAccepted } from '../relationships/relationship.ts';
import { Rollback, type WriteContext } from '../storage/storage.ts';
import type { ViewedChat } from '../viewed-message.ts';
import { deleteExportsOfChat } from './chat-deletion.repository.ts';
import { updateMember } from './consent.repository.ts';

// The deletion of a chat belongs to a membership. No function here changes the chatroom's revision or tells the partner
// anything. The partner's messages are unread no more, but no receipt says so.

/**
 * Deletes the messages of both members up to a `seq` for the user, and removes the chat from the user's list until there
 * is another message. Tells the user's devices. Messages that the partner does not see either are erased in the
 * background. Also deletes the user's exports of the chat, and lets one of the whole account that is being made begin
 * again. Returns the state of the chat.
 * @throws {AppError} `room_not_found`
 */
export function deleteChat(
  { storage }: Context,
  userId: string,
  chatroomId: string,
  { seq }: DeleteChatBody,
): Promise<ViewedChat> {
  return storage.write(
    async (write) => {
      const { trx } = write;
      await lockChatroom(trx, { chatroomId });
      const row = await findOwnChat(trx, userId, chatroomId);
      const cleared = Math.min(seq, row.last_seq);
      const next = {
        cleared_seq: Math.max(row.cleared_seq, cleared),
        own_cleared_seq: Math.max(row.own_cleared_seq, cleared),
        // What a user has read is told to a partner whom the user accepts later.
        ...(hasAccepted(row) && { read_seq: Math.max(row.read_seq, cleared) }),
        is_removed: 1,
        is_pinned: 0,
        archived_seq: null,
        is_marked_unread: 0,
      };
      const columns = Object.entries(next) as [keyof typeof next, number | null][];
      if (columns.every(([column, value]) => row[column] === value)) {
        return new Rollback(toViewedChat(row));
      }
      await updateMember(trx, chatroomId, userId, next);
      for (const file of await deleteExportsOfChat(trx, userId, chatroomId)) {
        await queueFileErasure(write, file);
      }
      await queueChatroomErasure(write, chatroomId);
      return (await tellMemberChange(write, { chatroomId, userId })) ?? toViewedChat(row);
    },
    { isConcurrent: true },
  );
}

/** Lists a chat again that the user may have deleted, within a write. */
export async function relistChat(
  write: WriteContext,
  userId: string,
  chatroomId: string,
): Promise<void> {
  await lockChatroom(write.trx, { chatroomId });
  const row = await findOwnChat(write.trx, userId, chatroomId);
  if (row.is_removed === 0) return;
  await updateMember(write.trx, chatroomId, userId, { is_removed: 0 });
  await tellMemberChange(write, { chatroomId, userId });
}
