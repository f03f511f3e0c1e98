import type { Announcer } from '../announcer.ts';
import type { ChatListLoader, ClientCore } from '../client-core.ts';
import type { OfflineCopy } from '../offline-copy/offline-copy.ts';
import { findDecision, typeOfChange } from '../outbox/changes/change-types.ts';
import type { Change } from '../outbox/changes/change.ts';
import { discardUnsent } from '../outbox/discard-unsent.ts';
import { isPending } from '../outbox/outbox-entry.ts';
import {
  areConcurrent,
  isDeletedByUser,
  isInChatList,
  isNewlyAccepted,
  type Chat,
} from '../stores/chat-list.ts';
import { findChat, mergeFetched } from '../stores/chats.ts';
import { isPartnerDeleted, withChatState } from '../stores/loaded-chatroom.ts';
import { findLoadedChatroom, isFromCopy } from '../stores/loaded-chatrooms.ts';
import type { ChatroomLoader } from './chatroom-loader.ts';

/** Applies the states of chats to all stores. */
export interface ChatStates {
  /**
   * Applies a state that arrived from the server.
   * @param before what was known at the request, if it is a response. An older one is of a restored backup
   */
  apply: (chat: Chat, before?: Chat) => void;
  /** Fetches the state of a chat again. `isNeeded` is as for a request of the list. */
  refetch: (chatroomId: string, isNeeded?: () => boolean) => void;
}

interface ChatStatesDeps extends Pick<ClientCore, 'stores' | 'signal'> {
  chatList: Pick<ChatListLoader, 'request'>;
  chatroomLoader: Pick<ChatroomLoader, 'open' | 'requestResync'>;
  copy: Pick<OfflineCopy, 'updateChatroom'>;
  announcer: Pick<Announcer, 'announceInvitation'>;
}

/** Starts to keep all stores consistent with the chats that are known. */
export function createChatStates(deps: ChatStatesDeps): ChatStates {
  const { stores, signal, chatList, chatroomLoader, copy } = deps;
  const { chats, rooms, view } = stores;

  /**
   * Forgets a chat that the user has blocked or declined.
   * @param wasKnown whether it was known before. One that was not may be opening as a blocked one.
   */
  function forget({ id, names }: Pick<Chat, 'id' | 'names'>, wasKnown: boolean): void {
    if (isWanted(id)) return;
    const room = findLoadedChatroom(rooms.getState(), id);
    const partnerNames = room && !isPartnerDeleted(room) ? [room.partnerName] : names;
    // A blocked chat that the user opened under Settings stays open, also while it is shown from a
    // copy that is older than the block.
    if (wasKnown && room?.status !== 'blocked' && !isFromCopy(rooms.getState(), id)) {
      rooms.getState().setEntry(id, { status: 'missing', isHidden: true });
    }
    forgetPosition(id);
    discardUnsent(stores, id, partnerNames);
  }

  /** Forgets a chat that the user has deleted, perhaps on another device. Messages that wait here are still sent. */
  function forgetDeleted({ id }: Chat, wasKnown: boolean): void {
    const { changes, entries, remove } = stores.outbox.getState();
    const isDeletion = (change: Change): boolean =>
      change.chatroomId === id && typeOfChange(change) === 'chat-deletion';
    // This device has forgotten it already, and the user may have begun another draft.
    if (!changes.some(isDeletion)) {
      forgetPosition(id);
      const unsent = entries.filter((each) => each.to.chatroomId === id && !isPending(each));
      remove(unsent.map(({ clientId }) => clientId));
    }
    // What waits there stays in view.
    if (hasUnsent(id)) return;
    const { status } = rooms.getState().rooms[id] ?? {};
    // One that was not known may be opening as a deleted one.
    if (status === 'ready' || (status !== undefined && wasKnown)) {
      rooms.getState().setEntry(id, { status: 'missing', isHidden: true });
    }
  }

  function hasUnsent(chatroomId: string): boolean {
    const { entries } = stores.outbox.getState();
    const hasDraft = stores.drafts.getState().drafts[chatroomId] !== undefined;
    return hasDraft || entries.some(({ to }) => to.chatroomId === chatroomId);
  }

  /** Discards the draft and the reading position of a chat that is no longer listed. */
  function forgetPosition(chatroomId: string): void {
    stores.drafts.getState().discard(chatroomId);
    stores.readingPositions.getState().setPosition(chatroomId, undefined);
  }

  /** Loads a chatroom again that was missing. */
  function reopen(chatroomId: string): void {
    const entry = rooms.getState().rooms[chatroomId];
    if (entry?.status !== 'missing' || entry.isUnconfirmed) return;
    rooms.getState().removeEntry(chatroomId);
    if (view.getState().chatroomId === chatroomId) void chatroomLoader.open(chatroomId);
  }

  /** Returns whether the user has decided to have a chat, which the server may not know yet. */
  function isWanted(chatroomId: string): boolean {
    const decision = findDecision(stores.outbox.getState().changes, chatroomId);
    return decision === 'unblock' || decision === 'accept';
  }

  function forgetUnlisted(chatroomId: string): void {
    if (isWanted(chatroomId)) return;
    forgetPosition(chatroomId);
    const room = findLoadedChatroom(rooms.getState(), chatroomId);
    if (room && room.status !== 'blocked') chatroomLoader.requestResync(chatroomId);
  }

  /** Fetches why a chat is no longer listed: its messages were deleted, or the user has deleted or blocked it. */
  async function checkUnlisted({ id, names }: Pick<Chat, 'id' | 'names'>): Promise<void> {
    if (findLoadedChatroom(rooms.getState(), id)) return chatroomLoader.requestResync(id);
    if (!hasUnsent(id)) return;
    await chatroomLoader.open(id);
    const entry = rooms.getState().rooms[id];
    if (entry?.status === 'missing' && !entry.isUnconfirmed) forget({ id, names }, true);
  }

  function applyToChatroom(chat: Chat, before: Chat | undefined): void {
    const loaded = before ?? findLoadedChatroom(rooms.getState(), chat.id);
    if (!isInChatList(chat) && (!loaded || isInChatList(loaded))) {
      return forget(chat, loaded !== undefined);
    }
    const wasBlocked = findLoadedChatroom(rooms.getState(), chat.id)?.status === 'blocked';
    const { ownClearedSeq: seq = 0 } = chat;
    const isDeletion = isDeletedByUser(chat) && loaded && seq > (loaded.ownClearedSeq ?? 0);
    if (isDeletion) forgetDeleted(chat, before !== undefined);
    rooms.getState().update(chat.id, (room) => withChatState(room, chat));
    if (isDeletedByUser(chat)) {
      const isGuess = before?.rev === chat.rev && before.memberRev === chat.memberRev;
      if (isGuess && before.last) void checkUnlisted(chat);
      return undefined;
    }
    if (!isInChatList(chat)) return undefined;
    // The partner may have deleted messages in the meantime.
    if (wasBlocked) chatroomLoader.requestResync(chat.id);
    return reopen(chat.id);
  }

  const unsubscribe = chats.subscribe((state, before) => {
    if (state.chats === before.chats && state.unlisted === before.unlisted) return;
    const known = new Map(before.chats.map((chat) => [chat.id, chat]));
    // The list of the copy may be older than the chatrooms in memory.
    const isCopy = state.isFromCopy && !before.isFromCopy;
    const isFirst = before.status !== 'ready' || before.isFromCopy;
    for (const chat of [...Object.values(state.unlisted), ...state.chats]) {
      const earlier = known.get(chat.id) ?? before.unlisted[chat.id];
      if (earlier !== chat && !isCopy) applyToChatroom(chat, earlier);
      // Any response may tell of it before its live event.
      if (!isFirst && isInChatList(chat) && isNewlyAccepted(earlier, chat)) {
        deps.announcer.announceInvitation(chat);
      }
    }
    if (state.status !== 'ready' || state.isFromCopy) return;
    const listed = new Set(state.chats.map(({ id }) => id));
    const isUnknown = (id: string): boolean => !listed.has(id) && state.unlisted[id] === undefined;
    for (const id of known.keys()) if (isUnknown(id)) forgetUnlisted(id);
    if (!isFirst) return;
    const drafts = Object.keys(stores.drafts.getState().drafts).filter(isChatroom);
    for (const id of drafts) if (isUnknown(id)) void checkUnlisted({ id, names: [] });
  });
  signal.addEventListener('abort', unsubscribe);

  return {
    apply: (chat, before) => {
      const known = findChat(chats.getState(), chat.id);
      // Another process of the server has changed it at the same time.
      if (known && areConcurrent(known, chat)) chatList.request();
      const merged = mergeFetched(chat, known, before);
      chats.getState().setChat(merged);
      if (findLoadedChatroom(rooms.getState(), chat.id)) return;
      copy.updateChatroom(chat.id, (room) => withChatState(room, merged));
    },
    refetch: (chatroomId, isNeeded) => {
      chatroomLoader.requestResync(chatroomId);
      chatList.request(isNeeded);
    },
  };
}

/** Returns whether a draft belongs to a chatroom, not to a first message. */
function isChatroom(draftKey: string): boolean {
  return !draftKey.startsWith('new:');
}
