import { createStore, type StoreApi } from 'zustand/vanilla';
import { mergeChats, reuseChats, totalUnread, withUnread, type Chat } from './chat-list.ts';

/** The user's chat list. */
export interface ChatsState {
  /** `error` only while there is no list to show. */
  status: 'loading' | 'ready' | 'error';
  chats: readonly Chat[];
  /** Whether the list is the one that was left on this device; the server may have another. */
  isFromCopy: boolean;
  /** Why the list could not be fetched the last time. */
  error: unknown;
  setChats: (chats: readonly Chat[]) => void;
  /** Shows the server's list, joined with what arrived while it was on its way. */
  setFetched: (incoming: readonly Chat[]) => void;
  /** Shows the list that was left on this device, unless one is there. */
  setFromCopy: (chats: readonly Chat[]) => void;
  /** Shows how much of a chat is unread; does nothing while there is no list. */
  setUnread: (id: string, unread: number) => void;
  /** Says that the list could not be fetched; a list that is there stays. */
  setFailed: (error: unknown) => void;
  setLoading: () => void;
}

/** Creates the store: `loading` until the first list. */
export function createChatsStore(): StoreApi<ChatsState> {
  return createStore<ChatsState>()((set) => ({
    status: 'loading',
    chats: [],
    isFromCopy: false,
    error: undefined,
    setChats: (chats) => set({ status: 'ready', chats }),
    setFetched: (incoming) =>
      set(({ chats, isFromCopy }) => ({
        status: 'ready',
        chats: isFromCopy ? reuseChats(chats, incoming) : mergeChats(chats, incoming),
        isFromCopy: false,
      })),
    setFromCopy: (chats) =>
      set((state) =>
        state.status === 'ready' ? state : { status: 'ready', chats, isFromCopy: true },
      ),
    setUnread: (id, unread) =>
      set((state) =>
        state.status === 'ready' ? { chats: withUnread(state.chats, id, unread) } : state,
      ),
    setFailed: (error) =>
      set(({ status }) => ({ status: status === 'ready' ? status : 'error', error })),
    setLoading: () => set(({ status }) => ({ status: status === 'ready' ? status : 'loading' })),
  }));
}

/** Returns the number of unread messages in all chats. */
export function selectTotalUnread({ chats }: Pick<ChatsState, 'chats'>): number {
  return totalUnread(chats);
}
