import type { Chatroom, PageQuery } from '@parley/contract';
import type { ApiClient } from './api/client.ts';
import type { ClientStores } from './client-stores.ts';
import { runLater } from './run-later.ts';
import { clearedFloor } from './stores/chat-list.ts';
import type { LoadedChatroom } from './stores/loaded-chatroom.ts';
import {
  shownPart,
  withNewerPage,
  withOlderPage,
  withoutDetached,
  withoutFarFrom,
  withPageAround,
} from './stores/message-window.ts';
import { quoteOf, resolveQuote, toDeletedQuote, type QuoteReference } from './stores/quotes.ts';
import { findLoadedChatroom, isFromCopy } from './stores/loaded-chatrooms.ts';

/** A message to jump to. Links contain only its position. */
export interface JumpTarget {
  readonly seq: number;
  readonly messageId?: string | undefined;
}

/** The outcome of a jump: the id of the message, which is loaded now, or why there is none. */
export type JumpOutcome =
  | { readonly messageId: string }
  | { readonly messageId?: undefined; readonly reason: 'missing' | 'superseded' };

/** The user's actions to move within a chatroom's history. */
export interface Jumps {
  /**
   * Loads a message with those around it, unless it is loaded. They are detached from the newest ones until they join
   * them. Only the latest jump in a chatroom has an effect. Rejects with an `ApiError`, as while offline.
   */
  jumpTo: (chatroomId: string, target: JumpTarget) => Promise<JumpOutcome>;
  /** Shows the newest messages instead of detached ones, and cancels a running jump. */
  showNewest: (chatroomId: string) => void;
  /** Cancels a running jump. */
  cancelJump: (chatroomId: string) => void;
  /** Loads another page of messages after the detached ones. Rejects with an `ApiError`. */
  loadNewer: (chatroomId: string) => Promise<void>;
  /** Loads another page of messages before those that are shown. Rejects with an `ApiError`. */
  loadOlder: (chatroomId: string) => Promise<void>;
  /** Loads the quote of the message that an unsent one replies to, unless known. Rejects with an `ApiError`. */
  loadQuote: (chatroomId: string, reference: QuoteReference) => Promise<void>;
}

/** Creates the actions. */
export function createJumps(
  api: ApiClient,
  { rooms, quotes }: Pick<ClientStores, 'rooms' | 'quotes'>,
  signal: AbortSignal,
): Jumps {
  /** The latest jump in each chatroom. */
  const latest = new Map<string, symbol>();
  /** Chatrooms of which a newer page is loading. */
  const loadingNewer = new Set<string>();

  const findChatroom = (chatroomId: string): LoadedChatroom | undefined =>
    findLoadedChatroom(rooms.getState(), chatroomId);

  /** Fetches a page, again if the chatroom was loaded in the meantime, and the page is older. */
  async function fetchPage(id: string, query: PageQuery): Promise<Chatroom> {
    const page = await api.call('getChatroom', { params: { id }, query });
    const isOutdated = page.chat.rev < (findChatroom(id)?.loadedRev ?? 0);
    return isOutdated ? api.call('getChatroom', { params: { id }, query }) : page;
  }

  /** Releases what is far from an end at which messages were added, once the list has shown these. */
  function release(chatroomId: string, end: 'older' | 'newer'): void {
    runLater(signal, 0, () =>
      rooms.getState().update(chatroomId, (room) => withoutFarFrom(room, end)),
    );
  }

  function start(chatroomId: string): () => boolean {
    const jump = Symbol(chatroomId);
    latest.set(chatroomId, jump);
    return () => latest.get(chatroomId) === jump;
  }

  return {
    jumpTo: async (chatroomId, target) => {
      const isLatest = start(chatroomId);
      const room = findChatroom(chatroomId);
      // Positions start at 1. A malformed link has none.
      if (!room || target.seq < 1) return { reason: 'missing' };
      const loaded = room.messages.find((each) => each.seq === target.seq);
      if (loaded) {
        rooms.getState().update(chatroomId, withoutDetached);
        return { messageId: loaded._id };
      }
      const shown = room.detached?.messages.find((each) => each.seq === target.seq);
      if (shown) return { messageId: shown._id };
      if (isKnownMissing(room, target) && !isFromCopy(rooms.getState(), chatroomId)) {
        return { reason: 'missing' };
      }
      const around = { around: target.seq };
      const page = await fetchPage(chatroomId, around).catch((error: unknown) => {
        if (isLatest()) throw error;
      });
      if (!page || !isLatest()) return { reason: 'superseded' };
      const found = page.chatroomMessages.find((each) => each.seq === target.seq);
      const isDeleted = found && findChatroom(chatroomId)?.deletedRevs.has(found._id);
      if (!found || isDeleted) return { reason: 'missing' };
      rooms.getState().update(chatroomId, (now) => withPageAround(now, page));
      return { messageId: found._id };
    },
    cancelJump: (chatroomId) => void start(chatroomId),
    showNewest: (chatroomId) => {
      start(chatroomId);
      rooms.getState().update(chatroomId, withoutDetached);
    },
    loadNewer: async (chatroomId) => {
      const after = findChatroom(chatroomId)?.detached?.messages.at(-1)?.seq;
      if (after === undefined || loadingNewer.has(chatroomId)) return;
      loadingNewer.add(chatroomId);
      try {
        const page = await fetchPage(chatroomId, { after });
        rooms.getState().update(chatroomId, (room) => {
          // Another jump may have replaced the messages in the meantime.
          const isAdjacent = room.detached?.messages.at(-1)?.seq === after;
          return isAdjacent ? withNewerPage(room, page) : room;
        });
        release(chatroomId, 'newer');
      } finally {
        loadingNewer.delete(chatroomId);
      }
    },
    loadOlder: async (chatroomId) => {
      const { rooms: entries, setLoadingOlder, update } = rooms.getState();
      const entry = entries[chatroomId];
      if (entry?.status !== 'ready' || entry.isLoadingOlder) return;
      const { messages, hasMore } = shownPart(entry.room);
      // Undefined if all loaded messages were deleted, for example with the partner's account.
      const before = messages[0]?.seq;
      if (!hasMore) return;
      setLoadingOlder(chatroomId, true);
      try {
        const page = await fetchPage(chatroomId, before === undefined ? {} : { before });
        update(chatroomId, (room) => {
          // Messages may have been released or replaced in the meantime. The page would then leave a gap, unless it
          // is the newest one.
          const isNewest = before === undefined && !room.detached;
          const isAdjacent = isNewest || shownPart(room).messages[0]?.seq === before;
          return isAdjacent ? withOlderPage(room, page) : room;
        });
        release(chatroomId, 'older');
      } finally {
        setLoadingOlder(chatroomId, false);
      }
    },
    loadQuote: async (chatroomId, reference) => {
      const room = findChatroom(chatroomId);
      if (!room || resolveQuote(room, reference, quotes.getState().quotes)) return;
      const query = { around: reference.seq, limit: 1 };
      const { chatroomMessages } = await fetchPage(chatroomId, query);
      const found = chatroomMessages.find(({ _id }) => _id === reference.messageId);
      const isDeleted = findChatroom(chatroomId)?.deletedRevs.has(reference.messageId);
      quotes.getState().remember(found && !isDeleted ? quoteOf(found) : toDeletedQuote(reference));
    },
  };
}

/** Returns whether a message that is not loaded does not exist. */
function isKnownMissing(room: LoadedChatroom, { seq, messageId }: JumpTarget): boolean {
  if (messageId !== undefined && room.deletedRevs.has(messageId)) return true;
  if (seq <= clearedFloor(room)) return true;
  const oldest = room.messages[0]?.seq;
  const newest = room.messages.at(-1)?.seq ?? 0;
  return seq <= newest && (!room.hasMore || (oldest !== undefined && seq >= oldest));
}
