import type { Message } from '@parley/contract';
import { ApiError, type ApiClient } from './api/client.ts';
import { reactionMutationKey, type ReactionMutationValue } from './mutations/pending-reactions.ts';
import { createJumps, type Jumps } from './jumps.ts';
import type { ClientStores } from './client-stores.ts';
import { toChat, withRead } from './stores/chat-list.ts';
import { findChat } from './stores/chats.ts';
import {
  withDeleted,
  withEditedText,
  withNewestOnly,
  withChatroomRead,
} from './stores/loaded-chatroom.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import type { ChatStates } from './sync/chat-states.ts';
import { UNREAD_CONTEXT, type ChatroomLoader } from './sync/chatroom-loader.ts';

/** The user's actions in a chatroom. */
export interface ChatroomActions extends Jumps {
  /** Loads a chatroom unless it is already loaded. The store shows the outcome. */
  open: (chatroomId: string) => Promise<void>;
  /** Releases old messages of a chatroom that the user leaves. */
  leave: (chatroomId: string) => void;
  /**
   * Marks all loaded messages as read, first locally and then on the server. Does nothing while detached
   * messages are shown.
   */
  markRead: (chatroomId: string) => Promise<void>;
  /** Edits a text message of the user. Rejects with an `ApiError`. */
  edit: (message: Message, content: string) => Promise<void>;
  /** Deletes a message of the user. Rejects with an `ApiError`. */
  remove: (message: Message) => Promise<void>;
  /**
   * Adds a reaction of the user to a message, or takes it back. It is shown immediately and sent as soon as
   * possible.
   */
  react: (message: Message, emoji: string, isOn: boolean) => void;
  /** Accepts a partner who has written first. Rejects with an `ApiError`, as while offline. */
  accept: (chatroomId: string) => Promise<void>;
  /** Deletes for the user what a partner wrote who is not accepted. Rejects with an `ApiError`, as while offline. */
  decline: (chatroomId: string) => Promise<void>;
  /**
   * Blocks the partner, and removes the chat and everything unsent in it from this device. Rejects
   * with an `ApiError`, as while offline.
   */
  block: (chatroomId: string) => Promise<void>;
  /** Unblocks the partner. Rejects with an `ApiError`, as while offline. */
  unblock: (chatroomId: string) => Promise<void>;
}

interface ChatroomActionsDeps {
  api: ApiClient;
  stores: Pick<ClientStores, 'rooms' | 'chats' | 'readingPositions' | 'mutations' | 'quotes'>;
  chatroomLoader: Pick<ChatroomLoader, 'open'>;
  /** Sends the read position of a chatroom to the server. */
  sendRead: (chatroomId: string, seq: number) => Promise<void>;
  states: Pick<ChatStates, 'apply' | 'refetch'>;
}

/** Minimum number of messages that stay in memory when the user leaves a chatroom. */
const KEPT_ON_LEAVING = 200;
/** Maximum number of messages that stay in memory to restore the reading position. */
const KEPT_FOR_POSITION = 2_000;

/** Creates the actions. Only `markRead` and `react` apply their changes before the server responds. */
export function createChatroomActions(deps: ChatroomActionsDeps): ChatroomActions {
  const { api, stores, chatroomLoader, sendRead, states } = deps;
  const { rooms, readingPositions } = stores;

  /** Changes what a chat is to the user, first on the server. */
  async function changeStatus(
    endpoint: 'acceptChat' | 'declineRequest' | 'blockPartner' | 'unblockPartner',
    chatroomId: string,
  ): Promise<void> {
    const before = findChat(stores.chats.getState(), chatroomId);
    try {
      const { chat } = await api.call(endpoint, { params: { id: chatroomId } });
      states.apply(toChat(chat), before);
    } catch (error) {
      // Another device may have changed it.
      if (error instanceof ApiError && !error.isTemporary) states.refetch(chatroomId);
      throw error;
    }
  }

  const jumps = createJumps({ api, stores });

  return {
    ...jumps,
    open: chatroomLoader.open,
    leave: (chatroomId) => {
      jumps.showNewest(chatroomId);
      const left = readingPositions.getState().positions.get(chatroomId);
      rooms.getState().update(chatroomId, (room) => {
        const sinceLeft = left ? room.messages.filter(({ seq }) => seq >= left.seq).length : 0;
        const needed = Math.min(KEPT_FOR_POSITION, sinceLeft + UNREAD_CONTEXT);
        return withNewestOnly(
          room,
          Math.max(KEPT_ON_LEAVING, room.unread + UNREAD_CONTEXT, needed),
        );
      });
    },
    markRead: async (chatroomId) => {
      const room = findLoadedChatroom(rooms.getState(), chatroomId);
      const seq = room?.messages.at(-1)?.seq;
      if (!room || room.detached || seq === undefined) return;
      applyRead(stores, chatroomId, seq);
      await sendRead(chatroomId, seq);
    },
    edit: async (message, content) => {
      await api.call('editMessage', { body: { messageId: message._id, content } });
      // Shows the change immediately. The live event with the new revision follows.
      const updatedAt = new Date().toISOString();
      rooms
        .getState()
        .update(message.chatroom, (room) => withEditedText(room, message, { content, updatedAt }));
    },
    remove: async (message) => {
      const deleted = await api
        .call('deleteMessage', { body: { messageId: message._id } })
        .catch((error: unknown) => {
          // The message was already deleted, for example from another device.
          if (error instanceof ApiError && error.code === 'message_not_found') return message;
          throw error;
        });
      rooms.getState().update(message.chatroom, (room) => withDeleted(room, deleted, false).room);
    },
    react: ({ _id: messageId, chatroom }, emoji, isOn) => {
      const value: ReactionMutationValue = { messageId, emoji, isOn };
      stores.mutations.getState().set(reactionMutationKey(messageId, emoji), chatroom, value);
    },
    accept: (chatroomId) => changeStatus('acceptChat', chatroomId),
    decline: (chatroomId) => changeStatus('declineRequest', chatroomId),
    block: (chatroomId) => changeStatus('blockPartner', chatroomId),
    unblock: (chatroomId) => changeStatus('unblockPartner', chatroomId),
  };
}

/** Marks a chatroom as read up to a message in the stores, before the server knows of it. */
export function applyRead(
  { rooms, chats }: Pick<ClientStores, 'rooms' | 'chats'>,
  chatroomId: string,
  readSeq: number,
): void {
  rooms.getState().update(chatroomId, (room) => withChatroomRead(room, readSeq, 0));
  const chat = findChat(chats.getState(), chatroomId);
  if (chat) chats.getState().setChat(withRead(chat, readSeq));
}
