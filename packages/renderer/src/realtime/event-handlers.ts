import type { Message, ServerEvents } from '@parley/contract';
import { withMessage as listWithMessage } from '../stores/chat-list.ts';
import { useChats } from '../stores/chats.ts';
import { useOutbox } from '../stores/outbox.ts';
import {
  withDeleted,
  withMessage,
  withPartnerDeleted,
  withRead,
  type Applied,
  type Room,
} from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';
import { useSession } from '../stores/session.ts';
import type { ChatListLoader } from './chat-list-loader.ts';

/** Events that change what the stores hold. */
export type StoreEvents = Omit<ServerEvents, 'session-ended'>;

interface EventHandlerDeps {
  /** Name of the signed-in person. */
  username: string;
  chatList: Pick<ChatListLoader, 'request' | 'noteRead'>;
  /** A revision of a room was heard of. */
  noteRev: (chatId: string, rev: number) => void;
  /** A room missed something and must catch up. */
  onGap: (chatId: string) => void;
  /** A message of somebody else is there for the first time. */
  onIncoming: (message: Message) => void;
}

/** What each live event does to the stores. */
export function createEventHandlers(deps: EventHandlerDeps): StoreEvents {
  const { username, chatList, noteRev, onGap, onIncoming } = deps;

  function applyToRoom(
    { chatroom, rev }: Pick<Message, 'chatroom' | 'rev'>,
    change: (room: Room) => Applied,
  ): void {
    noteRev(chatroom, rev);
    let hasGap = false;
    useRooms.getState().update(chatroom, (room) => {
      const applied = change(room);
      hasGap = applied.hasGap;
      return applied.room;
    });
    if (hasGap) onGap(chatroom);
  }

  return {
    message: (message) => {
      const isOwn = message.sender.username === username;
      applyToRoom(message, (room) => withMessage(room, message, true));
      const before = useChats.getState().chats;
      showInList(message, isOwn, chatList);
      if (isOwn) {
        if (message.clientId !== undefined) useOutbox.getState().remove(message.clientId);
        return;
      }
      const known = before.find(({ id }) => id === message.chatroom);
      if (!known || known.rev < message.rev) onIncoming(message);
    },
    'message-update': ({ updatedMessage }) => {
      applyToRoom(updatedMessage, (room) => withMessage(room, updatedMessage, true));
      chatList.request();
    },
    'message-delete': ({ deletedMessage }) => {
      applyToRoom(deletedMessage, (room) => withDeleted(room, deletedMessage, true));
      chatList.request();
    },
    'chat-read': ({ chatroom, readSeq, unreadMessagesCount }) => {
      useRooms.getState().update(chatroom, (room) => withRead(room, readSeq, unreadMessagesCount));
      chatList.noteRead(chatroom, unreadMessagesCount);
      useChats.getState().setUnread(chatroom, unreadMessagesCount);
    },
    settings: (changed) => useSession.getState().change(changed),
    'partner-deleted': ({ chatroom }) => {
      useRooms.getState().update(chatroom, withPartnerDeleted);
      chatList.request();
    },
  };
}

/** Puts a new message into the list of chats; fetches the list where that is not enough. */
export function showInList(
  message: Message,
  isOwn: boolean,
  chatList: Pick<ChatListLoader, 'request'>,
): void {
  const { chats, setChats, status } = useChats.getState();
  const next = status === 'ready' ? listWithMessage(chats, message, isOwn) : undefined;
  if (next) setChats(next);
  else chatList.request();
}
