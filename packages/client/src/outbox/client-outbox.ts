import { cleanText, usernameKey } from '@parley/contract';
import type { ClientCore } from '../client-core.ts';
import { isServerReachable } from '../stores/connection.ts';
import { isPartnerDeleted, withMessage } from '../stores/room.ts';
import { findLoadedRoom } from '../stores/rooms.ts';
import { addToList } from '../sync/event-handlers.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';
import { createOutbox, type Outbox } from './outbox.ts';

/** Sends the entries of the outbox, and applies what the server stores. */
export function createClientOutbox(
  core: ClientCore,
  outboxStore: OutboxStore,
  confirmUser: () => Promise<void>,
  onPartnerBlocked: (chatroomId: string) => void,
): Outbox {
  const { api, platform, stores, chatList, events, signal, timing } = core;
  const { rooms, chats, connection, drafts } = stores;
  return createOutbox({
    api,
    outbox: outboxStore,
    platform,
    signal,
    confirmUser,
    hasConnection: () => {
      const { status } = connection.getState();
      return platform.isOnline() && (isServerReachable({ status }) || status === 'connecting');
    },
    isPartnerDeleted: (chatroomId) => {
      const room = findLoadedRoom(rooms.getState(), chatroomId);
      return room !== undefined && isPartnerDeleted(room);
    },
    onSent: (message) => {
      rooms.getState().update(message.chatroom, (room) => withMessage(room, message, false).room);
      addToList(chats, message, true, chatList);
      events.onSent?.();
    },
    onCreated: chatList.request,
    onRefused: (entry, error) => events.onSendRefused?.(entry, error),
    onPartnerBlocked,
    onCaptionReturned: (chatroomId, caption) => {
      const { drafts: texts, setDraft } = drafts.getState();
      const written = texts[chatroomId] ?? '';
      setDraft(chatroomId, written === '' ? caption : `${caption}\n${written}`);
    },
    timing,
  });
}

/**
 * Sends messages that wait for the limit of messages to users who have not accepted, once the partner in a chatroom
 * has. A first message waits for the partner by name.
 */
export function sendToAcceptingPartner(
  outbox: Outbox,
  entries: readonly OutboxEntry[],
  chatroomId: string,
  partnerName?: string,
): void {
  const key = partnerName === undefined ? undefined : usernameKey(partnerName);
  const isWaiting = entries.some(
    ({ to, state, waitReason }) =>
      // The limit may still refuse what is on its way.
      (waitReason === 'limit' || state === 'sending') &&
      (to.chatroomId === chatroomId ||
        (to.partnerName !== undefined && usernameKey(to.partnerName) === key)),
  );
  if (isWaiting) outbox.flush();
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
