import type { Message, PayloadHandlers, ServerEvents } from '@parley/contract';
import type { Announcer } from '../announcer.ts';
import type { ChatListLoader, ClientCore } from '../client-core.ts';
import type { ClientStores } from '../client-stores.ts';
import type { NotificationPreferences } from '../notification-preferences.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import type { Outbox } from '../outbox/outbox.ts';
import {
  isInChatList,
  toChat,
  withLastMessage,
  withReaction,
  withUpdatedMessage,
  type Chat,
} from '../stores/chat-list.ts';
import { findChat } from '../stores/chats.ts';
import {
  withChatState,
  withDeleted,
  withMessage,
  type ChatroomUpdate,
  type LoadedChatroom,
} from '../stores/loaded-chatroom.ts';
import { findLoadedChatroom, isHidden } from '../stores/loaded-chatrooms.ts';
import type { ChatStates } from './chat-states.ts';
import type { ChatroomLoader } from './chatroom-loader.ts';
import type { DeliveryReporter } from './delivery-reporter.ts';
import type { PartnerActivity } from './partner-activity.ts';
import { releaseMessages } from './release-messages.ts';

/** Live events that update the stores. */
export type StoreEvents = PayloadHandlers<Omit<ServerEvents, 'session-ended'>>;

interface EventHandlerDeps extends Pick<ClientCore, 'stores' | 'username' | 'events'> {
  chatList: Pick<ChatListLoader, 'request'>;
  chatroomLoader: Pick<ChatroomLoader, 'recordRev' | 'requestResync'>;
  copy: Pick<OfflineCopy, 'updateChatroom'>;
  /** Resyncs the stored chatrooms that are not in memory. */
  resyncCopy: () => void;
  states: Pick<ChatStates, 'apply'>;
  /** Sends what waits for the partner in a chatroom to accept the user. */
  outbox: Pick<Outbox, 'flushChat'>;
  announcer: Pick<Announcer, 'announceMessage' | 'announceReaction' | 'announceInvitation'>;
  deliveries: Pick<DeliveryReporter, 'report'>;
  activity: PartnerActivity;
  notificationPreferences: Pick<NotificationPreferences, 'apply'>;
}

/** The events that tell of an accepted invitation arrive within this time. Milliseconds. */
const JUST_ACCEPTED_MS = 60_000;

/** Creates the handlers that apply live events to the stores. */
export function createEventHandlers(deps: EventHandlerDeps): StoreEvents {
  const { stores, username, chatList, chatroomLoader, announcer, activity } = deps;
  const { rooms, chats, shown, outbox, quotes } = stores;
  const { setPresence } = stores.activity.getState();
  /** Requests whose first message was reported, and that may not be listed yet. */
  const reportedRequests = new Set<string>();
  /** The message that changed last, which a reaction may be to. */
  let updated: Message | undefined;

  /** Changes a chatroom in memory, or the stored one if it is not. */
  function applyToChatroom(
    { chatroom, rev }: Pick<Message, 'chatroom' | 'rev'>,
    change: (room: LoadedChatroom) => ChatroomUpdate,
  ): void {
    chatroomLoader.recordRev(chatroom, rev);
    const loaded = findLoadedChatroom(rooms.getState(), chatroom);
    if (!loaded) {
      deps.copy.updateChatroom(chatroom, (room) => applyToStored(room, change));
      return;
    }
    const { room, hasGap } = change(loaded);
    rooms.getState().update(chatroom, () => room);
    if (hasGap) chatroomLoader.requestResync(chatroom);
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
    deps.resyncCopy();
    return applied.room.messages.length > room.messages.length ? room : applied.room;
  }

  /**
   * Applies a new or changed message to its chatroom. A state of the chat that arrived before has counted it, or hidden
   * it since. Returns this state.
   */
  function applyMessage(message: Message, isSentAsRequest?: boolean): Chat | undefined {
    const known = findChat(chats.getState(), message.chatroom);
    applyToChatroom(message, (before) => {
      const { room, hasGap } = withMessage(before, message, true, isSentAsRequest);
      const isCovered = known !== undefined && known.rev >= message.rev;
      return { room: isCovered ? withChatState(room, known) : room, hasGap };
    });
    return known;
  }

  const applyToChat = (message: Message, change: (chat: Chat) => Chat | undefined): void =>
    changeChat(chats, message, change, chatList);

  /** Returns whether a message is to be announced: not if the request is known already. */
  function isNewRequest({ chatroom: chatroomId, seq }: Message, known: Chat | undefined): boolean {
    // A response may have told of its first message.
    const isKnown = known && isInChatList(known) && seq > known.clearedSeq + 1;
    const isNew = !isKnown && !reportedRequests.has(chatroomId);
    reportedRequests.add(chatroomId);
    return isNew;
  }

  /** Returns whether a message needs not be announced. A state of the chat may arrive before the message. */
  function wasKnown({ rev, seq }: Message, chat: Chat | undefined): boolean {
    if (chat === undefined || chat.rev < rev) return false;
    return chat.readSeq >= seq || !isInChatList(chat);
  }

  return {
    message: ({ isRequest = false, isUndecided = false, isSentAsRequest = false, ...message }) => {
      const isOwn = message.sender.username === username;
      const known = applyMessage(message, isSentAsRequest);
      releaseMessages(stores, message.chatroom);
      const withStatus = { ...message, isRequest, isUndecided, isSentAsRequest };
      applyToChat(message, (chat) => withLastMessage(chat, withStatus, isOwn));
      if (isOwn) {
        if (message.clientId !== undefined) {
          outbox.getState().confirm(message.clientId, message.chatroom);
        }
        return;
      }
      activity.hideTyping(message.chatroom);
      const isAccepted = !isRequest && !isUndecided;
      if (isAccepted) deps.deliveries.report(message.chatroom, message.seq);
      deps.outbox.flushChat(message.chatroom, message.sender.username);
      if (wasKnown(message, known)) return;
      if (isRequest && !isNewRequest(message, known)) return;
      // The message was sent before the user blocked the partner. A deleted chat comes back.
      const isListed = known !== undefined && isInChatList(known);
      if (isAccepted && !isListed && isHidden(shown.rooms.getState(), message.chatroom)) return;
      announcer.announceMessage(message, isRequest);
    },
    'message-update': ({ updatedMessage }) => {
      updated = updatedMessage;
      applyMessage(updatedMessage);
      quotes.getState().update(updatedMessage);
      applyToChat(updatedMessage, (chat) => withUpdatedMessage(chat, updatedMessage));
    },
    // Follows the `message-update` of the same revision.
    reaction: ({ chatroom, rev, reaction, isOn }) => {
      const known = findChat(chats.getState(), chatroom);
      const seq = updated?._id === reaction.messageId ? updated.seq : undefined;
      if (known?.rev === rev) chats.getState().setChat(withReaction(known, reaction, isOn, seq));
      if (!isOn || isHidden(shown.rooms.getState(), chatroom)) return;
      announcer.announceReaction(chatroom, reaction);
    },
    'message-delete': ({ deletedMessage }) => {
      applyToChatroom(deletedMessage, (room) => withDeleted(room, deletedMessage, true));
      quotes.getState().setDeleted(deletedMessage._id);
    },
    // Follows `message-delete`, which updates the chatroom.
    chat: (state) => {
      const chat = toChat(state);
      chatroomLoader.recordRev(chat.id, chat.rev);
      if (chat.status !== 'request') reportedRequests.delete(chat.id);
      if (chat.isDeleted) setPresence({ [chat.id]: null });
      deps.states.apply(chat);
      // The first list may contain it, and not show that it is new. The event may tell of another change since.
      const age = Date.now() - Date.parse(chat.invitationAcceptedAt ?? '');
      if (age < JUST_ACCEPTED_MS && chat.settings.isMarkedUnread)
        announcer.announceInvitation(chat);
      // The partner may have accepted the user, so that more may be sent.
      deps.outbox.flushChat(chat.id);
    },
    typing: ({ chatroom }) => activity.showTyping(chatroom),
    presence: ({ rooms, isComplete }) => setPresence(rooms, isComplete),
    'notification-settings': ({ settings }) => deps.notificationPreferences.apply(settings),
    email: (emails) => deps.events.onEmail?.(emails),
    settings: (changed) => {
      deps.events.onSettings?.(changed);
      // The list contains only what the user may see.
      if (changed.sharesReceipts !== undefined) chatList.request();
    },
  };
}

/**
 * Changes a chat by a message that contains all that has changed. If earlier changes were missed, refetches the list
 * unless they arrive before.
 * @param change returns undefined then
 */
export function changeChat(
  chats: ClientStores['chats'],
  { chatroom, rev }: Pick<Message, 'chatroom' | 'rev'>,
  change: (chat: Chat) => Chat | undefined,
  chatList: Pick<ChatListLoader, 'request'>,
): void {
  const find = (): Chat | undefined => findChat(chats.getState(), chatroom);
  const known = find();
  const changed = known && change(known);
  if (changed) chats.getState().setChat(changed);
  else chatList.request(() => (find()?.rev ?? -1) < rev);
}
