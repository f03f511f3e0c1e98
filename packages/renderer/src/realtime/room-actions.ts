import { LIMITS, type Message } from '@parley/contract';
import { fetchChatroom, markAsRead } from '../api/chatrooms.ts';
import { ApiError, type ApiClient } from '../api/client.ts';
import { deleteMessage, editMessage } from '../api/messages.ts';
import { useChats } from '../stores/chats.ts';
import { useReadingPositions } from '../stores/reading-positions.ts';
import {
  withDeleted,
  withMessage,
  withNewestOnly,
  withNewestPage,
  withOlderPage,
  withRead,
  type Room,
} from '../stores/room.ts';
import { loadedRoom, useRooms } from '../stores/rooms.ts';
import type { ChatListLoader } from './chat-list-loader.ts';

/** What a person does in a room. */
export interface RoomActions {
  /** Loads a room unless it is there. How it went shows in the store. */
  open: (chatId: string) => Promise<void>;
  /** Lets go what was loaded far back, as nobody looks at it any more. */
  leave: (chatId: string) => void;
  /** Loads one more page of older messages. Rejects with an `ApiError`. */
  loadOlder: (chatId: string) => Promise<void>;
  /** Marks everything that is loaded as read, here at once and on the server. */
  markRead: (chatId: string) => Promise<void>;
  /** Changes an own text. Rejects with an `ApiError`. */
  edit: (message: Message, content: string) => Promise<void>;
  /** Deletes an own message. Rejects with an `ApiError`. */
  remove: (message: Message) => Promise<void>;
}

interface RoomActionsDeps {
  api: ApiClient;
  chatList: Pick<ChatListLoader, 'noteRead' | 'request'>;
  /** A room changed while it was being loaded. */
  onGap: (chatId: string) => void;
  /** The highest revision that was heard of, by room. */
  latestRev: (chatId: string) => number;
  /** The server could not mark a room as read. */
  onMarkReadFailed: () => void;
}

/** Refusals that say nothing of the room: too slow, too early, too many. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);
/** Pages of older messages that opening a room loads at most to reach the first unread one. */
const PAGES_TO_UNREAD = 20;
/** Messages that stay in memory when a room is left, at least. */
const KEPT_ON_LEAVING = 200;
/** Messages that stay in memory at most so that a chatroom opens again where it was left. */
const KEPT_FOR_POSITION = 2_000;
/** Messages that are shown before the first unread one. */
const CONTEXT = 20;

/** Actions that change the stores at once where they can, and the server behind them. */
export function createRoomActions(deps: RoomActionsDeps): RoomActions {
  const { api, chatList, onGap, latestRev, onMarkReadFailed } = deps;
  const opening = new Map<string, Promise<void>>();

  async function load(chatId: string): Promise<void> {
    const { setEntry } = useRooms.getState();
    const known = loadedRoom(useRooms.getState(), chatId);
    if (!known) setEntry(chatId, { status: 'loading' });
    try {
      const unread = useChats.getState().chats.find(({ id }) => id === chatId)?.unread ?? 0;
      const limit = Math.min(LIMITS.pageMax, Math.max(LIMITS.pageDefault, unread + CONTEXT));
      const page = await fetchChatroom(api, chatId, { limit });
      const room = await backToUnread(withNewestPage(chatId, page));
      setEntry(chatId, { status: 'ready', room, isLoadingOlder: false });
      if (latestRev(chatId) > room.rev) onGap(chatId);
    } catch (error) {
      setEntry(chatId, isMissing(error) ? { status: 'missing' } : { status: 'error', error });
    }
  }

  async function backToUnread(newest: Room): Promise<Room> {
    let room = newest;
    for (let pages = 0; pages < PAGES_TO_UNREAD && room.hasMore; pages += 1) {
      const oldest = room.messages[0]?.seq;
      if (room.unread === 0 || oldest === undefined || oldest <= room.readSeq + 1) break;
      room = withOlderPage(
        room,
        await fetchChatroom(api, room.id, { before: oldest, limit: LIMITS.pageMax }),
      );
    }
    return room;
  }

  function showRead(chatId: string, readSeq: number, unread: number): void {
    useRooms.getState().update(chatId, (room) => withRead(room, readSeq, unread));
    chatList.noteRead(chatId, unread);
    useChats.getState().setUnread(chatId, unread);
  }

  return {
    open: (chatId) => {
      const { rooms, setEntry } = useRooms.getState();
      const entry = rooms[chatId];
      if (entry?.status === 'ready') {
        setEntry(chatId, entry);
        return Promise.resolve();
      }
      const under = opening.get(chatId) ?? load(chatId).finally(() => opening.delete(chatId));
      opening.set(chatId, under);
      return under;
    },
    leave: (chatId) => {
      const left = useReadingPositions.getState().positions.get(chatId);
      useRooms.getState().update(chatId, (room) => {
        const sinceLeft = left ? room.messages.filter(({ seq }) => seq >= left.seq).length : 0;
        const needed = Math.min(KEPT_FOR_POSITION, sinceLeft + CONTEXT);
        return withNewestOnly(room, Math.max(KEPT_ON_LEAVING, room.unread + CONTEXT, needed));
      });
    },
    loadOlder: async (chatId) => {
      const { rooms, setLoadingOlder, update } = useRooms.getState();
      const entry = rooms[chatId];
      if (entry?.status !== 'ready' || entry.isLoadingOlder || !entry.room.hasMore) return;
      const before = entry.room.messages[0]?.seq;
      if (before === undefined) return;
      setLoadingOlder(chatId, true);
      try {
        const page = await fetchChatroom(api, chatId, { before });
        update(chatId, (room) => withOlderPage(room, page));
      } finally {
        setLoadingOlder(chatId, false);
      }
    },
    markRead: async (chatId) => {
      const room = loadedRoom(useRooms.getState(), chatId);
      const seq = room?.messages.at(-1)?.seq;
      if (!room || seq === undefined) return;
      showRead(chatId, seq, 0);
      try {
        const answer = await markAsRead(api, chatId, seq);
        const now = loadedRoom(useRooms.getState(), chatId);
        // A message that came meanwhile is counted here already.
        if (now && now.readSeq <= answer.readSeq && now.messages.at(-1)?.seq === seq) {
          showRead(chatId, answer.readSeq, answer.unreadMessagesCount);
        }
      } catch (error) {
        // Without a connection the catch-up after it tells how much is unread.
        const isOffline = error instanceof ApiError && error.code === 'offline';
        if (!isOffline) onMarkReadFailed();
        chatList.request();
      }
    },
    edit: async (message, content) => {
      await editMessage(api, { messageId: message._id, content });
      // The event with the new revision follows; what is shown need not wait for it.
      const updatedAt = new Date().toISOString();
      useRooms.getState().update(message.chatroom, (room) => {
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
      useRooms
        .getState()
        .update(chatroom, (room) => withDeleted(room, { _id, chatroom, seq, rev }, false).room);
    },
  };
}

/** Puts a message that the server took into its room, if that is loaded. */
export function showSent(message: Message): void {
  useRooms.getState().update(message.chatroom, (room) => withMessage(room, message, false).room);
}

/** Whether an error says that there is no such room; a server or network in trouble says nothing of it. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const isRefusal = error.status >= 400 && error.status < 500;
  return error.code === 'unreadable' || (isRefusal && !TEMPORARY.has(error.status));
}
