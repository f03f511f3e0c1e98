import { compareChats } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  isDeletedByUser,
  isInChatList,
  isUnaccepted,
  mergeChat,
  withChat,
  withoutLast,
  type Chat,
} from './chat-list.ts';

/** The user's chats. */
export interface ChatsState {
  /** The status of the list. `error` only while there is no list to show. */
  status: 'loading' | 'ready' | 'error';
  /** The chat list. */
  chats: readonly Chat[];
  /**
   * Other chats that are known, by id: blocked, declined and deleted ones, quiet requests of ended accounts, and any
   * until the list is loaded.
   */
  unlisted: Readonly<Record<string, Chat>>;
  /** Whether the list comes from the offline copy and may be outdated. */
  isFromCopy: boolean;
  /** The error of the last fetch, if it failed. */
  error: unknown;
  /** Sets what is now known of a chat. */
  setChat: (chat: Chat) => void;
  /**
   * Sets the server's list, merged with what arrived since it was requested.
   * @param before the chats that were known at the request. A list that is older than these is that of a restored
   * backup, and takes precedence.
   */
  setFetched: (incoming: readonly Chat[], before: ReadonlyMap<string, Chat>) => void;
  /** Sets the list of the offline copy, unless a list is loaded. */
  setFromCopy: (chats: readonly Chat[]) => void;
  /** Sets the error of a failed fetch. Keeps a loaded list. */
  setFailed: (error: unknown) => void;
  setLoading: () => void;
}

/**
 * Returns whether a chat is listed. The quiet request of an ended account cannot be accepted any more.
 * @param hasUnsent whether the user has begun or not sent something in it, which keeps a deleted chat in the list
 */
export function isInList(chat: Chat, hasUnsent = false): boolean {
  const isEndedRequest = chat.isDeleted && chat.status === 'request';
  return isInChatList(chat) && !isEndedRequest && (hasUnsent || !isDeletedByUser(chat));
}

type KnownChats = Pick<ChatsState, 'chats' | 'unlisted'>;

/** Finds a chat that is known, whether or not it is listed. */
export function findChat({ chats, unlisted }: KnownChats, id: string): Chat | undefined {
  return chats.find((chat) => chat.id === id) ?? unlisted[id];
}

/** Returns all chats that are known, by id. */
export function getKnownChats({ chats, unlisted }: KnownChats): ReadonlyMap<string, Chat> {
  return new Map([...Object.values(unlisted), ...chats].map((chat) => [chat.id, chat]));
}

/** Creates the store. Its status is `loading` until the first list. */
export function createChatsStore(): StoreApi<ChatsState> {
  /** Chats of the offline copy by id, until the server's list replaces them, whenever that was requested. */
  let copied: ReadonlyMap<string, Chat> = new Map();
  return createStore<ChatsState>()((set) => ({
    status: 'loading',
    chats: [],
    unlisted: {},
    isFromCopy: false,
    error: undefined,
    setChat: (chat) => set((state) => withKnown(state, chat)),
    setFetched: (incoming, atRequest) =>
      set((state) => {
        const known = getKnownChats(state);
        const before = new Map([...copied, ...atRequest]);
        copied = new Map();
        const fetched = incoming.map((chat) =>
          mergeFetched(chat, known.get(chat.id), before.get(chat.id)),
        );
        const ids = new Set(fetched.map(({ id }) => id));
        // What arrived since the request is newer than a list without it.
        const arrived = [...known.values()].filter(
          (chat) => !ids.has(chat.id) && before.get(chat.id) !== chat,
        );
        // One that was deleted once is not listed while it is empty.
        const emptied = state.chats
          .filter((chat) => chat.isRemoved && !isUnaccepted(chat))
          .map(withoutLast);
        const kept = [...emptied, ...Object.values(state.unlisted)].filter(
          (chat) => !isInList(chat),
        );
        const all = [...kept.filter(({ id }) => !ids.has(id)), ...arrived, ...fetched];
        return { ...split(all), status: 'ready', isFromCopy: false, error: undefined };
      }),
    setFromCopy: (chats) =>
      set((state) => {
        if (state.status === 'ready') return state;
        const known = getKnownChats(state);
        const merged = chats.map((chat) => mergeFetched(chat, known.get(chat.id), undefined));
        copied = new Map(chats.filter(({ id }) => !known.has(id)).map((chat) => [chat.id, chat]));
        return { ...split([...known.values(), ...merged]), status: 'ready', isFromCopy: true };
      }),
    setFailed: (error) =>
      set(({ status }) => ({ status: status === 'ready' ? status : 'error', error })),
    setLoading: () => set(({ status }) => ({ status: status === 'ready' ? status : 'loading' })),
  }));
}

/**
 * Merges a chat of a response with what is known. A response that is older than its request is of a restored backup,
 * and replaces it.
 * @param before what was known at the request
 */
export function mergeFetched(
  incoming: Chat,
  known: Chat | undefined,
  before: Chat | undefined,
): Chat {
  if (!known) return incoming;
  const isRestored = before && (incoming.rev < before.rev || incoming.memberRev < before.memberRev);
  return isRestored ? incoming : mergeChat(known, incoming);
}

function withKnown(state: ChatsState, chat: Chat): ChatsState | Partial<ChatsState> {
  if (findChat(state, chat.id) === chat) return state;
  const { [chat.id]: _before, ...unlisted } = state.unlisted;
  if (state.status === 'ready' && isInList(chat)) {
    return { chats: withChat(state.chats, chat), unlisted };
  }
  const chats = state.chats.filter(({ id }) => id !== chat.id);
  return {
    chats: chats.length < state.chats.length ? chats : state.chats,
    unlisted: { ...unlisted, [chat.id]: chat },
  };
}

/** Splits chats, of which later ones replace earlier ones, into those of the list and others. */
function split(all: readonly Chat[]): KnownChats {
  const chats = [...new Map(all.map((chat) => [chat.id, chat])).values()];
  return {
    chats: chats.filter((chat) => isInList(chat)).toSorted(compareChats),
    unlisted: Object.fromEntries(
      chats.filter((chat) => !isInList(chat)).map((chat) => [chat.id, chat]),
    ),
  };
}
