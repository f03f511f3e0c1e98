import type { Message } from '@parley/contract';
import { fetchChatroom } from './api/chatrooms.ts';
import { ApiError, type ApiClient } from './api/client.ts';
import { deleteMessage, editMessage } from './api/messages.ts';
import type { ClientStores } from './stores/client-stores.ts';
import { withDeleted, withNewestOnly, withOlderPage, withRead } from './stores/room.ts';
import { findLoadedRoom } from './stores/rooms.ts';
import type { ChatListLoader } from './sync/chat-list-loader.ts';
import { updateListUnread } from './sync/event-handlers.ts';
import { UNREAD_CONTEXT, type RoomLoader } from './sync/room-loader.ts';

/** What a user does in a chatroom. */
export interface RoomActions {
  /** Loads a room unless it is there. How it went shows in the store. */
  open: (chatroomId: string) => Promise<void>;
  /** Releases what was loaded far back, as it is out of sight. */
  leave: (chatroomId: string) => void;
  /** Loads one more page of older messages. Rejects with an `ApiError`. */
  loadOlder: (chatroomId: string) => Promise<void>;
  /** Marks everything that is loaded as read, here at once and on the server. */
  markRead: (chatroomId: string) => Promise<void>;
  /** Changes an own text. Rejects with an `ApiError`. */
  edit: (message: Message, content: string) => Promise<void>;
  /** Deletes an own message. Rejects with an `ApiError`. */
  remove: (message: Message) => Promise<void>;
}

interface RoomActionsDeps {
  api: ApiClient;
  stores: Pick<ClientStores, 'rooms' | 'chats' | 'readingPositions'>;
  chatList: Pick<ChatListLoader, 'recordUnread' | 'request'>;
  roomLoader: Pick<RoomLoader, 'open'>;
  /** Tells the server that a room was read up to a `seq`. */
  sendRead: (chatroomId: string, seq: number) => Promise<void>;
}

/** Messages that stay in memory when a room is left, at least. */
const KEPT_ON_LEAVING = 200;
/** Messages that stay in memory at most so that a chatroom opens again where it was left. */
const KEPT_FOR_POSITION = 2_000;

/** Creates the actions. They change the stores at once where they can, and the server behind them. */
export function createRoomActions(deps: RoomActionsDeps): RoomActions {
  const { api, stores, chatList, roomLoader, sendRead } = deps;
  const { rooms, readingPositions } = stores;

  return {
    open: roomLoader.open,
    leave: (chatroomId) => {
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
    loadOlder: async (chatroomId) => {
      const { rooms: entries, setLoadingOlder, update } = rooms.getState();
      const entry = entries[chatroomId];
      if (entry?.status !== 'ready' || entry.isLoadingOlder || !entry.room.hasMore) return;
      const before = entry.room.messages[0]?.seq;
      if (before === undefined) return;
      setLoadingOlder(chatroomId, true);
      try {
        const page = await fetchChatroom(api, chatroomId, { before });
        update(chatroomId, (room) => withOlderPage(room, page));
      } finally {
        setLoadingOlder(chatroomId, false);
      }
    },
    markRead: async (chatroomId) => {
      const room = findLoadedRoom(rooms.getState(), chatroomId);
      const seq = room?.messages.at(-1)?.seq;
      if (!room || seq === undefined) return;
      applyRead(stores, chatList, chatroomId, seq, 0);
      await sendRead(chatroomId, seq);
    },
    edit: async (message, content) => {
      await editMessage(api, { messageId: message._id, content });
      // The event with the new revision follows; what is shown need not wait for it.
      const updatedAt = new Date().toISOString();
      rooms.getState().update(message.chatroom, (room) => {
        const messages = room.messages.map((each) =>
          each._id === message._id && each.rev === message.rev
            ? { ...each, content, updatedAt }
            : each,
        );
        return { ...room, messages };
      });
    },
    remove: async (message) => {
      try {
        await deleteMessage(api, message._id);
      } catch (error) {
        // Gone already, from another device: that is what was wanted.
        if (!(error instanceof ApiError) || error.code !== 'message_not_found') throw error;
      }
      const { _id, chatroom, seq, rev } = message;
      rooms
        .getState()
        .update(chatroom, (room) => withDeleted(room, { _id, chatroom, seq, rev }, false).room);
    },
  };
}

/** Shows a room as read. */
export function applyRead(
  { rooms, chats }: Pick<ClientStores, 'rooms' | 'chats'>,
  chatList: Pick<ChatListLoader, 'recordUnread' | 'request'>,
  chatroomId: string,
  readSeq: number,
  unread: number,
): void {
  rooms.getState().update(chatroomId, (room) => withRead(room, readSeq, unread));
  // What the server counted may include a message that is not here yet.
  const room = findLoadedRoom(rooms.getState(), chatroomId);
  updateListUnread(chats, chatroomId, room?.unread ?? unread, room?.rev, chatList);
}
