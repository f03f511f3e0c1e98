import type {
  ChatStatus,
  LastReaction,
  Message,
  NotificationSettings,
  PayloadHandlers,
  ServerEvents,
} from '@parley/contract';
import { withLastMessage } from '../stores/chat-list.ts';
import { hasSameConsent } from '../stores/chat-consent.ts';
import type { ClientEvents } from '../client-events.ts';
import type { ClientStores } from '../client-stores.ts';
import {
  withDeleted,
  withMessage,
  withPartnerDeleted,
  withRead,
  withSentAsRequest,
  type RoomUpdate,
  type Room,
} from '../stores/room.ts';
import { findLoadedRoom, isHidden } from '../stores/rooms.ts';
import type { ChatListLoader } from './chat-list-loader.ts';

/** Live events that update the stores. */
export type StoreEvents = PayloadHandlers<Omit<ServerEvents, 'session-ended'>>;

interface EventHandlerDeps {
  stores: Pick<ClientStores, 'rooms' | 'chats' | 'outbox' | 'quotes'>;
  username: string;
  /** What the app is told. */
  events: Partial<Pick<ClientEvents, 'onSettings'>>;
  chatList: Pick<ChatListLoader, 'request' | 'recordUnread' | 'recordReceipt' | 'recordSettings'>;
  /** Records a revision of a chatroom. */
  recordRev: (chatroomId: string, rev: number) => void;
  /** Updates a stored chatroom that is not in memory. */
  updateStoredRoom: (chatroomId: string, change: (room: Room) => Room) => void;
  /** Called when a chatroom missed changes and must resync. */
  onGap: (chatroomId: string) => void;
  /** Called when a stored chatroom that is not in memory missed changes. */
  onStoredGap: () => void;
  /**
   * Called for the first event of each message from another user. For a request, only for its first
   * message.
   */
  onIncoming: (message: Message, isRequest: boolean) => void;
  /** Called when the partner in a chatroom has accepted the user. */
  onChatAccepted: (chatroomId: string) => void;
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
  /** Called when the user accepted, declined, blocked or unblocked a chat on any device. */
  onChatStatus: (chatroomId: string, status: ChatStatus) => void;
  /** Called when the user changed the settings of notifications on any device. */
  onNotificationSettings: (settings: NotificationSettings) => void;
}

/** Creates the handlers that apply live events to the stores. */
export function createEventHandlers(deps: EventHandlerDeps): StoreEvents {
  const { stores, username, chatList, recordRev, updateStoredRoom, onGap, onIncoming } = deps;
  const { rooms, chats, outbox, quotes } = stores;
  /** Requests whose first message was reported, and that may not be listed yet. */
  const reportedRequests = new Set<string>();
  /** Read positions from events. */
  const readSeqs = new Map<string, number>();

  /** Changes a chatroom in memory, or the stored one if it is not. */
  function updateRoom(
    chatroomId: string,
    change: (room: Room) => Room,
    changeStored: (room: Room) => Room = change,
  ): void {
    if (findLoadedRoom(rooms.getState(), chatroomId)) rooms.getState().update(chatroomId, change);
    else updateStoredRoom(chatroomId, changeStored);
  }

  function applyToRoom(
    { chatroom, rev }: Pick<Message, 'chatroom' | 'rev'>,
    change: (room: Room) => RoomUpdate,
  ): void {
    recordRev(chatroom, rev);
    let hasGap = false;
    const apply = (room: Room): Room => {
      const applied = change(room);
      hasGap = applied.hasGap;
      return applied.room;
    };
    updateRoom(chatroom, apply, (room) => applyToStored(room, change));
    if (hasGap) onGap(chatroom);
  }

  /**
   * Leaves out a message after missed ones. The stored messages have no holes, as the chatroom opens with them at the
   * first one that is unread.
   */
  function applyToStored(room: Room, change: (room: Room) => RoomUpdate): Room {
    const applied = change(room);
    if (!applied.hasGap) return applied.room;
    deps.onStoredGap();
    return applied.room.messages.length > room.messages.length ? room : applied.room;
  }

  /** Returns whether a message is to be reported: not if the request is known already. */
  function isNewRequest(chatroomId: string, isListed: boolean): boolean {
    const isNew = !isListed && !reportedRequests.has(chatroomId);
    reportedRequests.add(chatroomId);
    return isNew;
  }

  return {
    message: ({ isRequest = false, isUndecided = false, isSentAsRequest = false, ...message }) => {
      const isOwn = message.sender.username === username;
      applyToRoom(message, (room) => withMessage(room, message, true));
      if (isOwn) updateRoom(message.chatroom, (room) => withSentAsRequest(room, isSentAsRequest));
      const before = chats.getState().chats;
      addToList(chats, message, isOwn, chatList);
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
      const known = before.find(({ id }) => id === message.chatroom);
      // The user changed who may write, or the partner writes again.
      if (known && !isAccepted && !hasSameConsent(known, { isRequest, isUndecided })) {
        chatList.request();
      }
      if (known && known.rev >= message.rev) return;
      if (isRequest && !isNewRequest(message.chatroom, known !== undefined)) return;
      // The message was sent before the user blocked the partner.
      if (isAccepted && isHidden(rooms.getState(), message.chatroom)) return;
      onIncoming(message, isRequest);
    },
    'message-update': ({ updatedMessage }) => {
      applyToRoom(updatedMessage, (room) => withMessage(room, updatedMessage, true));
      quotes.getState().update(updatedMessage);
      chatList.request();
    },
    // Follows `message-update`, which updates the stores.
    reaction: ({ chatroom, reaction, isOn }) => {
      if (isOn && !isHidden(rooms.getState(), chatroom)) deps.onReaction(chatroom, reaction);
    },
    'message-delete': ({ deletedMessage }) => {
      applyToRoom(deletedMessage, (room) => withDeleted(room, deletedMessage, true));
      quotes.getState().setDeleted(deletedMessage._id);
      chatList.request();
    },
    'chat-read': ({ chatroom, readSeq, unreadMessagesCount, rev }) => {
      updateRoom(chatroom, (room) => withRead(room, readSeq, unreadMessagesCount));
      if (readSeq < (readSeqs.get(chatroom) ?? 0)) return;
      readSeqs.set(chatroom, readSeq);
      updateListUnread(chats, chatroom, unreadMessagesCount, rev, chatList);
    },
    'chat-receipt': ({ chatroom, deliveredSeq, readSeq }) => {
      chatList.recordReceipt(chatroom, { deliveredSeq, readSeq });
      chats.getState().addReceipt(chatroom, { deliveredSeq, readSeq });
    },
    typing: ({ chatroom }) => deps.onTyping(chatroom, true),
    presence: (event) => deps.onPresence(event),
    'chat-accepted': ({ chatroom }) => {
      updateRoom(chatroom, (room) => withSentAsRequest(room, false));
      deps.onChatAccepted(chatroom);
    },
    'chat-status': ({ chatroom, status }) => {
      reportedRequests.delete(chatroom);
      deps.onChatStatus(chatroom, status);
    },
    'chat-settings': ({ chatroom, settings }) => {
      chatList.recordSettings(chatroom, settings);
      chats.getState().addSettings(chatroom, settings);
    },
    'notification-settings': ({ settings }) => deps.onNotificationSettings(settings),
    settings: (changed) => {
      deps.events.onSettings?.(changed);
      // The list contains only what the user may see.
      if (changed.sharesReceipts !== undefined) chatList.request();
    },
    'partner-deleted': ({ chatroom }) => {
      deps.onPresence({ rooms: { [chatroom]: null }, isComplete: false });
      updateRoom(chatroom, withPartnerDeleted);
      chatList.request();
    },
  };
}

/**
 * Sets the number of unread messages of a chatroom in the chat list. Refetches the list if its
 * revision differs, because messages would otherwise count twice or not at all.
 * @param rev revision at which the count was taken, undefined if the server did not send it
 */
export function updateListUnread(
  store: ClientStores['chats'],
  chatroomId: string,
  unread: number,
  rev: number | undefined,
  chatList: Pick<ChatListLoader, 'request' | 'recordUnread'>,
): void {
  const { chats, setUnread } = store.getState();
  const listed = chats.find(({ id }) => id === chatroomId)?.rev;
  chatList.recordUnread(chatroomId, unread, rev);
  if (rev === undefined || listed === rev) setUnread(chatroomId, unread);
  else if (listed !== undefined) chatList.request();
}

/** Adds a new message to the chat list. Refetches the list if the message cannot be added. */
export function addToList(
  store: ClientStores['chats'],
  message: Message,
  isOwn: boolean,
  chatList: Pick<ChatListLoader, 'request'>,
): void {
  const { chats, setChats, status } = store.getState();
  const next = status === 'ready' ? withLastMessage(chats, message, isOwn) : undefined;
  if (next) setChats(next);
  else chatList.request();
}
