import { ApiError } from './api/client.ts';
import type { ClientCore } from './client-core.ts';
import { asOutdated, isUnaccepted, toChat, type Chat } from './stores/chat-list.ts';
import { findChat } from './stores/chats.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import { createDeliveryReporter, type DeliveryReporter } from './sync/delivery-reporter.ts';
import { createReadSender, type ReadSender } from './sync/read-sender.ts';

/** Sends read positions, and applies what the server confirms. */
export function createClientReadSender(
  { api, stores, chatList, events, timing }: ClientCore,
  applyChat: (chat: Chat) => void,
): ReadSender {
  return createReadSender({
    api,
    onConfirmed: ({ chat }) => applyChat(toChat(chat)),
    onFailed: (chatroomId, error, isTemporary) => {
      // The chat may have been declined on another device.
      const isExpected =
        error instanceof ApiError && (error.code === 'offline' || error.code === 'room_not_found');
      if (!isExpected) events.onMarkReadFailed?.();
      if (isTemporary) return;
      const chat = findChat(stores.chats.getState(), chatroomId);
      if (chat) stores.chats.getState().setChat(asOutdated(chat));
      chatList.request();
    },
    timing,
  });
}

/** Reports live messages, and those that arrived during a disconnection. */
export function createClientDeliveryReporter({
  api,
  stores,
  timing,
}: ClientCore): DeliveryReporter {
  const reporter = createDeliveryReporter({
    api,
    getReadSeq: (chatroomId) =>
      findLoadedChatroom(stores.rooms.getState(), chatroomId)?.readSeq ?? 0,
    timing,
  });
  const stop = stores.chats.subscribe(({ chats, isFromCopy }, before) => {
    if (isFromCopy || chats === before.chats) return;
    for (const chat of chats) {
      const { id, last, unread } = chat;
      // Unread messages may be older than a reply of the user, which accepts the chat.
      if (!last || unread === 0 || isUnaccepted(chat)) continue;
      reporter.report(id, last.seq);
    }
  });
  return {
    ...reporter,
    stop: () => {
      stop();
      reporter.stop();
    },
  };
}
