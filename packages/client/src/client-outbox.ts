import { cleanText } from '@parley/contract';
import type { ApiError } from './api/client.ts';
import type { ClientCore } from './client-core.ts';
import type { Change } from './outbox/changes/change.ts';
import { decisionOf, typeOfChange } from './outbox/changes/change-types.ts';
import { selectDraft } from './outbox/drafts.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { mayReachServer } from './stores/connection.ts';
import { isPartnerDeleted, withMessage } from './stores/loaded-chatroom.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import { isInChatList, withLastMessage } from './stores/chat-list.ts';
import { findChat } from './stores/chats.ts';
import type { ChatStates } from './sync/chat-states.ts';
import { awaitChange, changeChat } from './sync/event-handlers.ts';

/** Sends what the outbox contains, and applies what the server stores. */
export function createClientOutbox(
  core: ClientCore,
  outboxStore: OutboxStore,
  confirmUser: () => Promise<void>,
  { apply: applyChat, refetch: refetchChat }: Pick<ChatStates, 'apply' | 'refetch'>,
): Outbox {
  const { api, platform, stores, chatList, events, signal, timing } = core;
  const { rooms, chats, connection, drafts } = stores;
  const onChangeFailed = createFailureReport(core);

  function onChangeRefused(change: Change, error: ApiError): void {
    onChangeFailed(change, error);
    const { chatroomId } = change;
    const type = typeOfChange(change);
    // Messages to a partner who could not be unblocked would be discarded.
    if (decisionOf(change) === 'unblock') failWaiting(chatroomId);
    // Another device may have changed it, which its live event tells as well.
    if (type === 'status') refetchChat(chatroomId);
    else if (error.code === 'room_not_found') refetchChat(chatroomId, () => isListed(chatroomId));
    // The message or the chat was deleted in the meantime.
    const isGone = error.code === 'message_not_found' || error.code === 'room_not_found';
    const isExpected = type === 'read' || (isGone && type !== 'edit');
    if (type && !isExpected) events.onChangeRefused?.(error, type);
  }

  const isListed = (chatroomId: string): boolean => {
    const chat = findChat(chats.getState(), chatroomId);
    return chat !== undefined && isInChatList(chat);
  };

  /** Marks the messages of a chatroom that wait as failed, so that the user decides about them. */
  function failWaiting(chatroomId: string): void {
    const { entries, change } = stores.outbox.getState();
    const waiting = entries.filter(
      ({ to, state, file }) => to.chatroomId === chatroomId && state === 'waiting' && !file,
    );
    change(
      waiting.map(({ clientId }) => clientId),
      { state: 'failed' },
    );
  }

  return createOutbox({
    api,
    outbox: outboxStore,
    platform,
    signal,
    confirmUser,
    hasConnection: () => platform.isOnline() && mayReachServer(connection.getState()),
    isPartnerDeleted: (chatroomId) => {
      const room = findLoadedChatroom(rooms.getState(), chatroomId);
      return room !== undefined && isPartnerDeleted(room);
    },
    onSent: (response) => {
      const { isSentAsRequest = false, ...message } = response;
      rooms
        .getState()
        .update(
          message.chatroom,
          (room) => withMessage(room, message, false, isSentAsRequest).room,
        );
      // The live event follows. The response would be ahead of events of earlier changes.
      if (connection.getState().status === 'online') awaitChange(chats, message, chatList);
      else changeChat(chats, message, (chat) => withLastMessage(chat, response, true), chatList);
      events.onSent?.();
    },
    onCreated: () => {
      chatList.request();
      events.onSent?.();
    },
    onRefused: (entry, error) => events.onSendRefused?.(entry, error),
    // The live event of the other device's block may come before the refusal, or shortly after it.
    onPartnerBlocked: (chatroomId) => refetchChat(chatroomId, () => isListed(chatroomId)),
    changeContext: { api, stores, applyChat },
    onChangeFailed,
    onChangeRefused,
    onCaptionReturned: (chatroomId, caption) => {
      void drafts.getState().append(chatroomId, caption);
    },
    timing,
  });
}

/** Returns a function that reports the first failure of each read position, unless it is expected. */
function createFailureReport({ events }: ClientCore): (change: Change, error: ApiError) => void {
  /** The changes that were reported last, by key. */
  const reported = new Map<string, number>();
  return (change, error) => {
    const { key, order } = change;
    if (typeOfChange(change) !== 'read' || reported.get(key) === order || isExpected(error)) return;
    reported.set(key, order);
    events.onMarkReadFailed?.();
  };
}

/** Returns whether a read position is sent later, without a connection to the server, or no longer matters. */
function isExpected({ code, status, isForeign }: ApiError): boolean {
  // The chat may have been declined on another device.
  if (code === 'offline' || code === 'unreadable' || code === 'room_not_found') return true;
  // Captive portals send refusals.
  return isForeign && (status < 500 || status === 511);
}

/** Discards the draft of a first message once it has created a chatroom. */
export function watchCreatedChatrooms({ stores }: ClientCore): void {
  stores.outbox.subscribe(({ created }, before) => {
    if (created === before.created) return;
    const { drafts, change } = stores.drafts.getState();
    for (const { partnerName, content } of Object.values(created)) {
      const key = `new:${partnerName}`;
      if (cleanText(selectDraft({ drafts }, key).text) === content) change(key, { text: '' });
    }
  });
}
