import { MUTED_ALWAYS, type ChatSettingsBody } from '@parley/contract';
import type { ClientStores } from './client-stores.ts';
import type { NewChange } from './outbox/changes/change.ts';
import { chatDeletion } from './outbox/changes/chat-deletion.ts';
import { chatSettingsChange, isMute } from './outbox/changes/chat-settings.ts';
import { pinOrder } from './outbox/changes/pin-order.ts';
import { readPosition } from './outbox/changes/read-position.ts';
import { discardUnsent } from './outbox/discard-unsent.ts';
import { isChange } from './outbox/mutation.ts';
import { isInFlight } from './outbox/outbox-entry.ts';
import type { Platform } from './platform.ts';
import { findListed } from './shown/listed-chat.ts';
import { isNewlyAccepted } from './stores/chat-list.ts';
import { findChat } from './stores/chats.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';

/** How long a chat can be muted: milliseconds, or always. */
export type MuteDuration = number | 'always';

/** The user's actions on entries of the chat list, which are shown immediately and sent as soon as possible. */
export interface ChatActions {
  /** Pins a chat above all others, which takes it out of the archive, or unpins it. */
  pin: (chatroomId: string, isPinned: boolean) => void;
  /** Sorts the pinned chats, whose ids are given. The last order of any device wins. */
  orderPinned: (chatroomIds: readonly string[]) => void;
  /** Archives a chat, which unpins it, or takes it out of the archive. */
  archive: (chatroomId: string, isArchived: boolean) => void;
  /** Mutes a chat for a while, or ends it. */
  mute: (chatroomId: string, duration: MuteDuration | undefined) => void;
  /** Marks a chat as unread. Its read position stays. */
  markUnread: (chatroomId: string) => void;
  /** Marks a chat as read up to its newest message. */
  markChatRead: (chatroomId: string) => void;
  /**
   * Deletes a chat for the user, with everything unsent and the draft on this device. Later messages of either user bring
   * it back.
   */
  deleteChat: (chatroomId: string) => void;
}

interface ChatActionsDeps {
  stores: ClientStores;
  /** Makes a change of the user. */
  change: (change: NewChange) => void;
}

/** Creates the actions. */
export function createChatActions({ stores, change }: ChatActionsDeps): ChatActions {
  const set = (chatroomId: string, body: ChatSettingsBody): void =>
    change(chatSettingsChange.create(chatroomId, body));

  return {
    // Each states the whole place, because it replaces an earlier mutation that was not sent.
    pin: (chatroomId, isPinned) => {
      const ranks = stores.shown.chats.getState().chats.map(({ pinRank = 0 }) => pinRank);
      const rank = isPinned ? { pinRank: Math.max(0, ...ranks) + 1 } : {};
      change(chatSettingsChange.create(chatroomId, { isPinned, isArchived: false, ...rank }));
    },
    orderPinned: (chatroomIds) => {
      // It belongs to no chatroom.
      change(pinOrder.create('', { chats: chatroomIds }));
    },
    archive: (chatroomId, isArchived) => {
      const chat = findListed(stores.shown.chats.getState(), chatroomId);
      // Messages that the user does not know yet take the chat out of the archive, also if all known ones are deleted.
      const known = isArchived && chat ? { archivedSeq: chat.last?.seq ?? 0 } : {};
      set(chatroomId, { isPinned: false, isArchived, ...known });
    },
    mute: (chatroomId, duration) =>
      set(chatroomId, { mutedUntil: duration === undefined ? null : endOf(duration) }),
    markUnread: (chatroomId) => set(chatroomId, { isMarkedUnread: true }),
    markChatRead: (chatroomId) => {
      const chat = findListed(stores.shown.chats.getState(), chatroomId);
      if (chat?.isMarkedUnread) set(chatroomId, { isMarkedUnread: false });
      const seq = chat?.last?.seq;
      if (!chat || chat.unread === 0 || seq === undefined) return;
      change(readPosition.create(chatroomId, { seq }));
    },
    deleteChat: (chatroomId) => {
      const chat = findChat(stores.chats.getState(), chatroomId);
      const room = findLoadedChatroom(stores.rooms.getState(), chatroomId);
      const newest = [chat?.last?.seq, chat?.readSeq, room?.messages.at(-1)?.seq];
      // A mute that waits is still wanted, as it outlasts the deletion. A message in flight will be later than it.
      discardUnsent(stores, chatroomId, [], (each) =>
        isChange(each) ? isMute(each) : isInFlight(each),
      );
      stores.drafts.getState().discard(chatroomId);
      stores.readingPositions.getState().setPosition(chatroomId, undefined);
      change(chatDeletion.create(chatroomId, { seq: Math.max(...newest.map((seq = 0) => seq)) }));
    },
  };
}

function endOf(duration: MuteDuration): string {
  return duration === 'always' ? MUTED_ALWAYS : new Date(Date.now() + duration).toISOString();
}

interface ClearMarksDeps extends ChatActionsDeps {
  platform: Pick<Platform, 'isFocused' | 'watchFocus'>;
}

/**
 * Clears the mark as unread of each chat that the user opens, also if the list is loaded later, and of the open one if
 * the partner accepts an invitation, once the user sees it.
 */
export function clearMarksOnOpening(deps: ClearMarksDeps, signal: AbortSignal): void {
  const { stores, change, platform } = deps;
  const { view, shown } = stores;
  /** The opened chat, until the server's list has told whether it is marked. */
  let opened: string | undefined;
  /** Whether the partner of the open chat has accepted an invitation, which the user may not see yet. */
  let isAccepted = false;

  function clear(): void {
    if (isAccepted && platform.isFocused()) {
      isAccepted = false;
      opened = view.getState().chatroomId;
    }
    if (opened === undefined) return;
    const chatroomId = opened;
    const state = shown.chats.getState();
    if (state.status === 'ready' && !state.isFromCopy) opened = undefined;
    if (!findListed(state, chatroomId)?.isMarkedUnread) return;
    opened = undefined;
    change(chatSettingsChange.create(chatroomId, { isMarkedUnread: false }));
  }

  const stops = [
    view.subscribe(({ chatroomId }, before) => {
      if (chatroomId === before.chatroomId) return;
      opened = chatroomId;
      isAccepted = false;
      clear();
    }),
    shown.chats.subscribe((state, before) => {
      const { chatroomId = '' } = view.getState();
      const chat = findListed(state, chatroomId);
      if (chat && isNewlyAccepted(findListed(before, chatroomId), chat)) isAccepted = true;
      clear();
    }),
    platform.watchFocus(clear),
  ];
  signal.addEventListener('abort', () => stops.forEach((stop) => stop()));
}
