import { create } from 'zustand';
import { totalUnread, type Chat } from './chat-list.ts';

/** The signed-in person's chats. */
export interface ChatsState {
  /** `error` only while there is no list to show. */
  status: 'loading' | 'ready' | 'error';
  chats: readonly Chat[];
  /** Unread messages in all chats. */
  total: number;
  setChats: (chats: readonly Chat[]) => void;
  /** Says that the list could not be fetched; a list that is there stays. */
  setFailed: () => void;
  setLoading: () => void;
  reset: () => void;
}

const EMPTY: Pick<ChatsState, 'status' | 'chats' | 'total'> = {
  status: 'loading',
  chats: [],
  total: 0,
};

export const useChats = create<ChatsState>()((set) => ({
  ...EMPTY,
  setChats: (chats) => set({ status: 'ready', chats, total: totalUnread(chats) }),
  setFailed: () => set(({ status }) => ({ status: status === 'ready' ? status : 'error' })),
  setLoading: () => set(({ status }) => ({ status: status === 'ready' ? status : 'loading' })),
  reset: () => set(EMPTY),
}));
