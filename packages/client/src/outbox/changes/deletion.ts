import type { DeletedMessage } from '@parley/contract';
import { ApiError, type ApiClient } from '../../api/client.ts';
import { isNumber, isText } from '../../api/responses.ts';
import { isLast, type Chat } from '../../stores/chat-list.ts';
import { withDeleted } from '../../stores/loaded-chatroom.ts';
import { defineChange, keepInChat } from './change.ts';

/** A deleted message. */
interface Deletion {
  messageId: string;
  seq: number;
  /** What the chat list shows of the newest message before it; null if none is loaded. */
  before: Chat['last'];
}

/** Deletes a message for both users. */
export const deletion = defineChange<Deletion>('deletion', {
  what: 'deleting a message',
  isIndependent: true,
  fields: {
    messageId: isText,
    seq: isNumber,
    before: isLast,
  },
  target: (_chatroomId, { messageId }) => messageId,
  lane: (_chatroomId, { messageId }) => `message:${messageId}`,
  send: async ({ api, stores }, chatroomId, value) => {
    const deleted = await deleteMessage(api, value.messageId);
    stores.rooms.getState().update(chatroomId, (room) => withDeleted(room, deleted, false).room);
    keepInChat(stores, chatroomId, (chat) => withoutMessage(chat, value));
  },
  applyToChat: withoutMessage,
  applyToChatroom: (room, { messageId: _id }) => {
    const { rev } = room;
    return withDeleted(room, { _id, rev }, false).room;
  },
});

async function deleteMessage(
  api: ApiClient,
  messageId: string,
): Promise<Pick<DeletedMessage, '_id' | 'rev'>> {
  try {
    return await api.call('deleteMessage', { body: { messageId } });
  } catch (error) {
    // The message was already deleted, for example from another device.
    if (error instanceof ApiError && error.code === 'message_not_found') {
      return { _id: messageId, rev: 0 };
    }
    throw error;
  }
}

function withoutMessage(chat: Chat, { messageId, seq, before }: Deletion): Chat {
  const { reaction, ...others } = chat;
  const isLast = chat.last?.seq === seq;
  const isReactedTo = reaction?.messageId === messageId;
  if (!isLast && !isReactedTo) return chat;
  return { ...(isReactedTo ? others : chat), last: isLast ? before : chat.last };
}
