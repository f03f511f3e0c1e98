import { cleanText } from '@parley/contract';
import type { ApiError } from './api/client.ts';
import type { ClientCore } from './client-core.ts';
import type { Change } from './outbox/changes/change.ts';
import type { ChangeTypeName } from './outbox/changes/change-types.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { mayReachServer } from './stores/connection.ts';
import { isPartnerDeleted, withMessage } from './stores/loaded-chatroom.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import { withLastMessage } from './stores/chat-list.ts';
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
  const { api, platform, stores, chatList, events, signal, timing, refusedReads } = core;
  const { rooms, chats, connection, drafts } = stores;
  const onChangeFailed = createFailureReport(core);

  function onChangeRefused(type: ChangeTypeName, change: Change, error: ApiError): void {
    onChangeFailed(type, change, error);
    // Another device may have changed it.
    if (type === 'status' || error.code === 'room_not_found') refetchChat(change.chatroomId);
    // The message or the chat was deleted in the meantime.
    const isGone = error.code === 'message_not_found' || error.code === 'room_not_found';
    const isExpected = type === 'read' || (isGone && type !== 'edit');
    if (!isExpected) events.onChangeRefused?.(error, type);
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
    onPartnerBlocked: (chatroomId) =>
      refetchChat(chatroomId, () => findChat(chats.getState(), chatroomId)?.status !== 'blocked'),
    changeContext: { api, stores, refusedReads, applyChat },
    onChangeFailed,
    onChangeRefused,
    onCaptionReturned: (chatroomId, caption) => {
      const { drafts: texts, setDraft } = drafts.getState();
      const written = texts[chatroomId] ?? '';
      setDraft(chatroomId, written === '' ? caption : `${caption}\n${written}`);
    },
    timing,
  });
}

/** Returns a function that reports the first failure of each read position, unless it is expected. */
function createFailureReport({
  events,
}: ClientCore): (type: ChangeTypeName, change: Change, error: ApiError) => void {
  /** The orders of the reported changes. */
  const reported = new Set<number>();
  return (type, { order }, { code }) => {
    // Without a connection, it is sent later. The chat may have been declined on another device.
    const isExpected = code === 'offline' || code === 'room_not_found';
    if (type !== 'read' || isExpected || reported.has(order)) return;
    reported.add(order);
    events.onMarkReadFailed?.();
  };
}

/** Discards the draft of a first message once it has created a chatroom. */
export function watchCreatedChatrooms({ stores }: ClientCore): void {
  stores.outbox.subscribe(({ created }, before) => {
    if (created === before.created) return;
    const { drafts, setDraft } = stores.drafts.getState();
    for (const { partnerName, content } of Object.values(created)) {
      const key = `new:${partnerName}`;
      if (cleanText(drafts[key] ?? '') === content) setDraft(key, '');
    }
  });
}
