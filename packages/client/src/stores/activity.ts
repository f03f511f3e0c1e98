import { createStore, type StoreApi } from 'zustand/vanilla';

/** What partners are doing right now. Not stored. */
export interface ActivityState {
  /** Chatrooms in which the partner is typing. */
  typing: ReadonlySet<string>;
  setTyping: (chatroomId: string, isTyping: boolean) => void;
  /** Forgets everything, because it may have changed unnoticed. */
  clear: () => void;
}

/** Creates the store. */
export function createActivityStore(): StoreApi<ActivityState> {
  return createStore<ActivityState>()((set) => ({
    typing: new Set(),
    setTyping: (chatroomId, isTyping) =>
      set((state) => {
        if (state.typing.has(chatroomId) === isTyping) return state;
        const typing = new Set(state.typing);
        if (isTyping) typing.add(chatroomId);
        else typing.delete(chatroomId);
        return { typing };
      }),
    clear: () => set((state) => (state.typing.size === 0 ? state : { typing: new Set() })),
  }));
}
