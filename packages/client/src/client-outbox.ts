import { cleanText } from '@parley/contract';
import type { ClientCore } from './client-core.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import { mayReachServer } from './stores/connection.ts';
import { isPartnerDeleted, withMessage } from './stores/loaded-chatroom.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import { withLastMessage } from './stores/chat-list.ts';
import { findChat } from './stores/chats.ts';
import type { ChatStates } from './sync/chat-states.ts';
import { awaitChange, changeChat } from './sync/event-handlers.ts';

/** Sends the entries of the outbox, and applies what the server stores. */
export function createClientOutbox(
  core: ClientCore,
  outboxStore: OutboxStore,
  confirmUser: () => Promise<void>,
  refetchChat: ChatStates['refetch'],
): Outbox {
  const { api, platform, stores, chatList, events, signal, timing } = core;
  const { rooms, chats, connection, drafts } = stores;
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
    onCaptionReturned: (chatroomId, caption) => {
      const { drafts: texts, setDraft } = drafts.getState();
      const written = texts[chatroomId] ?? '';
      setDraft(chatroomId, written === '' ? caption : `${caption}\n${written}`);
    },
    timing,
  });
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
