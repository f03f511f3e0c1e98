import { usernameKey, type ChatStatus } from '@parley/contract';
import type { ClientStores } from '../client-stores.ts';
import { toConsent, type ChatConsent } from '../stores/chat-consent.ts';
import { isPartnerDeleted, withStatus, type Room } from '../stores/room.ts';
import { findLoadedRoom, isFromCopy } from '../stores/rooms.ts';
import type { ChatListLoader } from './chat-list-loader.ts';
import type { RoomLoader } from './room-loader.ts';

/** Applies to the stores what a chat is to the current user. */
export interface ChatStatuses {
  /** Applies a status that the server confirmed. A blocked or declined chat is forgotten. */
  apply: (chatroomId: string, status: ChatStatus) => void;
  /** Refetches the status of a chat that was unblocked. */
  refetch: (chatroomId: string) => void;
  /** Outdates running requests, after an event that no revision of a chatroom shows. */
  outdateRequests: () => void;
  /** Returns a number that changes with each status. A response requested before is outdated. */
  getVersion: () => number;
  stop: () => void;
}

interface ChatStatusDeps {
  stores: ClientStores;
  chatList: Pick<ChatListLoader, 'request'>;
  roomLoader: Pick<RoomLoader, 'open' | 'requestResync'>;
  /** Updates a stored chatroom that is not in memory. */
  updateStoredRoom: (chatroomId: string, change: (room: Room) => Room) => void;
  /** Discards the unconfirmed read position of a chatroom. */
  forgetRead: (chatroomId: string) => void;
}

/** Starts to keep the status of chats consistent in all stores. The server's list decides. */
export function createChatStatuses(deps: ChatStatusDeps): ChatStatuses {
  const { stores, chatList, roomLoader, updateStoredRoom, forgetRead } = deps;
  const { chats, rooms, view } = stores;
  let version = 0;

  function forget(chatroomId: string): void {
    const room = findLoadedRoom(rooms.getState(), chatroomId);
    const listed = chats.getState().chats.find(({ id }) => id === chatroomId);
    const partnerNames = room && !isPartnerDeleted(room) ? [room.partnerName] : listed?.names;
    // A blocked chat that the user opened under Settings stays open, also while it is shown from a
    // copy that is older than the block.
    if (!room?.isBlocked && !isFromCopy(rooms.getState(), chatroomId)) {
      rooms.getState().setEntry(chatroomId, { status: 'missing', isHidden: true });
    }
    chats.getState().remove(chatroomId);
    forgetPosition(chatroomId);
    forgetRead(chatroomId);
    discardUnsent(stores, chatroomId, partnerNames ?? []);
  }

  /** Discards the draft and the reading position of a chat that is no longer listed. */
  function forgetPosition(chatroomId: string): void {
    const { setDraft, setReply } = stores.drafts.getState();
    setDraft(chatroomId, '');
    setReply(chatroomId, undefined);
    stores.readingPositions.getState().setPosition(chatroomId, undefined);
    const { message, stop } = stores.editing.getState();
    if (message?.chatroom === chatroomId) stop();
  }

  /** Shows a chat that may have been forgotten before. */
  function restore(chatroomId: string, consent: ChatConsent): void {
    const room = findLoadedRoom(rooms.getState(), chatroomId);
    const change = (known: Room): Room => withStatus(known, consent);
    if (room) rooms.getState().update(chatroomId, change);
    else updateStoredRoom(chatroomId, change);
    // The partner may have deleted messages in the meantime.
    if (room?.isBlocked) roomLoader.requestResync(chatroomId);
    chats.getState().setConsent(chatroomId, consent);
    reopen(chatroomId);
  }

  /** Loads a chatroom again that was missing. */
  function reopen(chatroomId: string): void {
    const entry = rooms.getState().rooms[chatroomId];
    if (entry?.status !== 'missing' || entry.isUnconfirmed) return;
    rooms.getState().removeEntry(chatroomId);
    if (view.getState().chatroomId === chatroomId) void roomLoader.open(chatroomId);
  }

  function forgetUnlisted(chatroomId: string): void {
    forgetPosition(chatroomId);
    const room = findLoadedRoom(rooms.getState(), chatroomId);
    if (room && !room.isBlocked) roomLoader.requestResync(chatroomId);
  }

  const unsubscribe = chats.subscribe((state, before) => {
    if (state.status !== 'ready' || state.isFromCopy) return;
    const isFirst = before.status !== 'ready' || before.isFromCopy;
    if (state.chats === before.chats && !isFirst) return;
    const listed = new Map(state.chats.map((chat) => [chat.id, chat]));
    const drafts = Object.keys(stores.drafts.getState().drafts).filter(isChatroom);
    for (const id of [...before.chats.map((chat) => chat.id), ...(isFirst ? drafts : [])]) {
      if (!listed.has(id)) forgetUnlisted(id);
    }
    for (const chat of before.chats) if (listed.get(chat.id) === chat) listed.delete(chat.id);
    for (const [id, chat] of listed) {
      reopen(id);
      const consent = toConsent(chat);
      rooms
        .getState()
        .update(id, (room) => withStatus(room, { ...consent, isBlocked: room.isBlocked ?? false }));
    }
  });

  return {
    apply: (chatroomId, status) => {
      version += 1;
      if (status === 'blocked' || status === 'none') forget(chatroomId);
      else restore(chatroomId, consentOf(status));
      chatList.request();
    },
    refetch: (chatroomId) => {
      version += 1;
      roomLoader.requestResync(chatroomId);
      chatList.request();
    },
    outdateRequests: () => {
      version += 1;
    },
    getVersion: () => version,
    stop: unsubscribe,
  };
}

function consentOf(status: ChatStatus): ChatConsent {
  return { isRequest: status === 'request', isUndecided: status === 'undecided' };
}

/** Discards everything unsent to a chatroom, and the first message to its partner. */
function discardUnsent(
  { outbox, mutations }: Pick<ClientStores, 'outbox' | 'mutations'>,
  chatroomId: string,
  partnerNames: readonly string[],
): void {
  mutations.getState().discard(chatroomId);
  const keys = new Set(partnerNames.map(usernameKey));
  const { entries, remove } = outbox.getState();
  const unsent = entries.filter(
    ({ to }) =>
      to.chatroomId === chatroomId ||
      (to.partnerName !== undefined && keys.has(usernameKey(to.partnerName))),
  );
  if (unsent.length > 0) remove(unsent.map(({ clientId }) => clientId));
}

/** Returns whether a draft belongs to a chatroom, not to a first message. */
function isChatroom(draftKey: string): boolean {
  return !draftKey.startsWith('new:');
}
