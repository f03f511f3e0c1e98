import type {
  LastReaction,
  Message,
  NotificationSettings,
  PayloadHandlers,
  ServerEvents,
} from '@parley/contract';
import {
  isInChatList,
  toChat,
  withLastMessage,
  withReaction,
  withUpdatedMessage,
  type Chat,
} from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import type { ClientEvents } from '../client-events.ts';
import type { ClientStores } from '../client-stores.ts';
import {
  withChatState,
  withDeleted,
  withMessage,
  type ChatroomUpdate,
  type LoadedChatroom,
} from '../stores/loaded-chatroom.ts';
import { findLoadedChatroom, isHidden } from '../stores/loaded-chatrooms.ts';
import type { ChatListLoader } from './chat-list-loader.ts';

/** Live events that update the stores. */
export type StoreEvents = PayloadHandlers<Omit<ServerEvents, 'session-ended'>>;

interface EventHandlerDeps {
  stores: Pick<ClientStores, 'rooms' | 'chats' | 'shown' | 'outbox' | 'quotes'>;
  username: string;
  /** What the app is told. */
  events: Partial<Pick<ClientEvents, 'onSettings'>>;
  chatList: Pick<ChatListLoader, 'request'>;
  /** Records a revision of a chatroom. */
  recordRev: (chatroomId: string, rev: number) => void;
  /** Updates a stored chatroom that is not in memory. */
  updateStoredChatroom: (
    chatroomId: string,
    change: (room: LoadedChatroom) => LoadedChatroom,
  ) => void;
  /** Called when a chatroom missed changes and must resync. */
  onGap: (chatroomId: string) => void;
  /** Called when a stored chatroom that is not in memory missed changes. */
  onStoredGap: () => void;
  /**
   * Called for the first event of each message from another user. For a request, only for its first
   * message.
   */
  onIncoming: (message: Message, isRequest: boolean) => void;
  /** Called for each message of the partner in a chatroom, which also accepts the user. */
  onPartnerWrote: (chatroomId: string, partnerName: string) => void;
  /** Called when a message of the partner in an accepted chat has arrived. */
  onDelivered: (message: Message) => void;
  /** Called when the partner in a chatroom is typing, and when a message of theirs has arrived. */
  onTyping: (chatroomId: string, isTyping: boolean) => void;
  /** Called with the presence of partners. */
  onPresence: (event: ServerEvents['presence']) => void;
  /** Called for each reaction of the partner to a message of the user. */
  onReaction: (chatroomId: string, reaction: LastReaction) => void;
  /** Called with each state of a chat. */
  onChat: (chat: Chat) => void;
  /** Called when the user changed the settings of notifications on any device. */
  onNotificationSettings: (settings: NotificationSettings) => void;
}

/** Creates the handlers that apply live events to the stores. */
export function createEventHandlers(deps: EventHandlerDeps): StoreEvents {
  const { stores, username, chatList, recordRev, updateStoredChatroom, onGap, onIncoming } = deps;
  const { rooms, chats, shown, outbox, quotes } = stores;
  /** The revision of the latest message of each chat that an event has announced. */
  const announcedRevs = new Map<string, number>();
  /** Requests whose first message was reported, and that may not be listed yet. */
  const reportedRequests = new Set<string>();

  /** Changes a chatroom in memory, or the stored one if it is not. */
  function applyToChatroom(
    { chatroom, rev }: Pick<Message, 'chatroom' | 'rev'>,
    change: (room: LoadedChatroom) => ChatroomUpdate,
  ): void {
    recordRev(chatroom, rev);
    let hasGap = false;
    const apply = (room: LoadedChatroom): LoadedChatroom => {
      const applied = change(room);
      hasGap = applied.hasGap;
      return applied.room;
    };
    if (findLoadedChatroom(rooms.getState(), chatroom)) rooms.getState().update(chatroom, apply);
    else updateStoredChatroom(chatroom, (room) => applyToStored(room, change));
    if (hasGap) onGap(chatroom);
  }

  /**
   * Leaves out a message after missed ones. The stored messages have no holes, as the chatroom opens with them at the
   * first one that is unread.
   */
  function applyToStored(
    room: LoadedChatroom,
    change: (room: LoadedChatroom) => ChatroomUpdate,
  ): LoadedChatroom {
    const applied = change(room);
    if (!applied.hasGap) return applied.room;
    deps.onStoredGap();
    return applied.room.messages.length > room.messages.length ? room : applied.room;
  }

  const applyToChat = (message: Message, change: (chat: Chat) => Chat | undefined): void =>
    changeChat(chats, message, change, chatList);

  /** Returns whether a message is to be reported: not if the request is known already. */
  function isNewRequest(chatroomId: string, isInChatList: boolean): boolean {
    const isNew = !isInChatList && !reportedRequests.has(chatroomId);
    reportedRequests.add(chatroomId);
    return isNew;
  }

  /**
   * Returns whether a message was announced before, needs not be, or is found by a resync, which compares lists. A state
   * of the chat may arrive before the message.
   */
  function wasKnown({ chatroom, rev, seq }: Message, chat: Chat | undefined): boolean {
    const listedRev = chats.getState().listedRevs.get(chatroom) ?? 0;
    if (rev <= Math.max(listedRev, announcedRevs.get(chatroom) ?? 0)) return true;
    if (chat === undefined || chat.rev < rev) return false;
    return chat.readSeq >= seq || !isInChatList(chat);
  }

  return {
    message: ({ isRequest = false, isUndecided = false, isSentAsRequest = false, ...message }) => {
      const isOwn = message.sender.username === username;
      applyToChatroom(message, (room) => withMessage(room, message, true, isSentAsRequest));
      const known = findChat(chats.getState(), message.chatroom);
      const withStatus = { ...message, isRequest, isUndecided, isSentAsRequest };
      applyToChat(message, (chat) => withLastMessage(chat, withStatus, isOwn));
      // A state that arrived before the message has counted it.
      const isCounted = known !== undefined && known.rev >= message.rev;
      if (isCounted) {
        rooms.getState().update(message.chatroom, (room) => withChatState(room, known));
      }
      if (isOwn) {
        if (message.clientId !== undefined) {
          outbox.getState().confirm(message.clientId, message.chatroom);
        }
        return;
      }
      deps.onTyping(message.chatroom, false);
      const isAccepted = !isRequest && !isUndecided;
      if (isAccepted) deps.onDelivered(message);
      deps.onPartnerWrote(message.chatroom, message.sender.username);
      if (wasKnown(message, known)) return;
      announcedRevs.set(message.chatroom, message.rev);
      if (isRequest && !isNewRequest(message.chatroom, known !== undefined && isInChatList(known)))
        return;
      // The message was sent before the user blocked the partner.
      if (isAccepted && isHidden(shown.rooms.getState(), message.chatroom)) return;
      onIncoming(message, isRequest);
    },
    'message-update': ({ updatedMessage }) => {
      applyToChatroom(updatedMessage, (room) => withMessage(room, updatedMessage, true));
      quotes.getState().update(updatedMessage);
      applyToChat(updatedMessage, (chat) => withUpdatedMessage(chat, updatedMessage));
    },
    // Follows the `message-update` of the same revision.
    reaction: ({ chatroom, rev, reaction, isOn }) => {
      const known = findChat(chats.getState(), chatroom);
      if (known?.rev === rev) chats.getState().setChat(withReaction(known, reaction, isOn));
      if (isOn && !isHidden(shown.rooms.getState(), chatroom)) deps.onReaction(chatroom, reaction);
    },
    'message-delete': ({ deletedMessage }) => {
      applyToChatroom(deletedMessage, (room) => withDeleted(room, deletedMessage, true));
      quotes.getState().setDeleted(deletedMessage._id);
    },
    // Follows `message-delete`, which updates the chatroom.
    chat: (state) => {
      const chat = toChat(state);
      recordRev(chat.id, chat.rev);
      if (chat.status !== 'request') reportedRequests.delete(chat.id);
      if (chat.isDeleted) deps.onPresence({ rooms: { [chat.id]: null }, isComplete: false });
      deps.onChat(chat);
    },
    typing: ({ chatroom }) => deps.onTyping(chatroom, true),
    presence: (event) => deps.onPresence(event),
    'notification-settings': ({ settings }) => deps.onNotificationSettings(settings),
    settings: (changed) => {
      deps.events.onSettings?.(changed);
      // The list contains only what the user may see.
      if (changed.sharesReceipts !== undefined) chatList.request();
    },
  };
}

/**
 * Changes a chat by a message that contains all that has changed. Refetches the list if earlier changes were missed.
 * @param change returns undefined then
 */
export function changeChat(
  chats: ClientStores['chats'],
  message: Pick<Message, 'chatroom' | 'rev'>,
  change: (chat: Chat) => Chat | undefined,
  chatList: Pick<ChatListLoader, 'request'>,
): void {
  const known = findChat(chats.getState(), message.chatroom);
  const changed = known && change(known);
  if (changed) chats.getState().setChat(changed);
  else awaitChange(chats, message, chatList);
}

/** Refetches the list unless the change of a chat that made a message arrives before. */
export function awaitChange(
  chats: ClientStores['chats'],
  { chatroom, rev }: Pick<Message, 'chatroom' | 'rev'>,
  chatList: Pick<ChatListLoader, 'request'>,
): void {
  chatList.request(() => (findChat(chats.getState(), chatroom)?.rev ?? -1) < rev);
}
