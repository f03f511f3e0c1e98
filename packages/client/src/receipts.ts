import type { ClientCore } from './client-core.ts';
import { isHiddenByDecision } from './outbox/changes/change-types.ts';
import { isUnaccepted } from './stores/chat-list.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import { createDeliveryReporter, type DeliveryReporter } from './sync/delivery-reporter.ts';

/** Reports live messages, and those that arrived during a disconnection. */
export function createClientDeliveryReporter({
  api,
  stores,
  timing,
}: ClientCore): DeliveryReporter {
  const reporter = createDeliveryReporter({
    api,
    getReadSeq: (chatroomId) =>
      findLoadedChatroom(stores.shown.rooms.getState(), chatroomId)?.readSeq ?? 0,
    timing,
  });
  const stop = stores.chats.subscribe(({ chats, isFromCopy }, before) => {
    if (isFromCopy || chats === before.chats) return;
    const { changes } = stores.outbox.getState();
    for (const chat of chats) {
      const { id, last, unread } = chat;
      // Unread messages may be older than a reply of the user, which accepts the chat.
      if (!last || unread === 0 || isUnaccepted(chat) || isHiddenByDecision(changes, id)) continue;
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
