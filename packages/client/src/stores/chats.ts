import type { ChatSettings } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  mergeChats,
  reuseChats,
  withChangedSettings,
  withConsent,
  withReceipt,
  withUnread,
  type Chat,
  type PartnerReceipt,
} from './chat-list.ts';
import type { ChatConsent } from './chat-consent.ts';

/** The user's chat list. */
export interface ChatsState {
  /** `error` only while there is no list to show. */
  status: 'loading' | 'ready' | 'error';
  chats: readonly Chat[];
  /** Whether the list comes from the offline copy and may be outdated. */
  isFromCopy: boolean;
  /** The error of the last fetch, if it failed. */
  error: unknown;
  setChats: (chats: readonly Chat[]) => void;
  /**
   * Sets the server's list, merged with live updates that arrived in the meantime.
   * @param restored ids of chats whose older revision takes precedence, as after a restored backup
   */
  setFetched: (incoming: readonly Chat[], restored?: ReadonlySet<string>) => void;
  /** Sets the list of the offline copy, unless a list is loaded. */
  setFromCopy: (chats: readonly Chat[]) => void;
  /** Sets the number of unread messages of a chatroom. Does nothing until a list is loaded. */
  setUnread: (id: string, unread: number) => void;
  /** Records what the partner in a chatroom has received and read. */
  addReceipt: (id: string, receipt: PartnerReceipt) => void;
  /** Records the settings of a chat, unless newer ones are known. */
  addSettings: (id: string, settings: ChatSettings) => void;
  /** Sets the user's consent to a listed chat. */
  setConsent: (id: string, consent: ChatConsent) => void;
  /** Removes a chat from the list. */
  remove: (id: string) => void;
  /** Sets the error of a failed fetch. Keeps a loaded list. */
  setFailed: (error: unknown) => void;
  setLoading: () => void;
}

/** Creates the store. Its status is `loading` until the first list. */
export function createChatsStore(): StoreApi<ChatsState> {
  return createStore<ChatsState>()((set) => ({
    status: 'loading',
    chats: [],
    isFromCopy: false,
    error: undefined,
    setChats: (chats) => set({ status: 'ready', chats }),
    setFetched: (incoming, restored = new Set()) =>
      set(({ chats, isFromCopy }) => {
        const known = chats.filter(({ id }) => !restored.has(id));
        return {
          status: 'ready',
          chats: isFromCopy ? reuseChats(chats, incoming) : mergeChats(known, incoming),
          isFromCopy: false,
          error: undefined,
        };
      }),
    setFromCopy: (chats) =>
      set((state) =>
        state.status === 'ready' ? state : { status: 'ready', chats, isFromCopy: true },
      ),
    setUnread: (id, unread) =>
      set((state) =>
        state.status === 'ready' ? { chats: withUnread(state.chats, id, unread) } : state,
      ),
    addReceipt: (id, receipt) => set(({ chats }) => ({ chats: withReceipt(chats, id, receipt) })),
    addSettings: (id, settings) =>
      set(({ chats }) => ({ chats: withChangedSettings(chats, id, settings) })),
    setConsent: (id, consent) =>
      set((state) => {
        const chat = state.chats.find((each) => each.id === id);
        const changed = chat && withConsent(chat, consent);
        if (!changed || changed === chat) return state;
        return { chats: state.chats.map((each) => (each === chat ? changed : each)) };
      }),
    remove: (id) =>
      set((state) =>
        state.chats.some((chat) => chat.id === id)
          ? { chats: state.chats.filter((chat) => chat.id !== id) }
          : state,
      ),
    setFailed: (error) =>
      set(({ status }) => ({ status: status === 'ready' ? status : 'error', error })),
    setLoading: () => set(({ status }) => ({ status: status === 'ready' ? status : 'loading' })),
  }));
}
