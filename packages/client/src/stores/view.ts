import { createStore, type StoreApi } from 'zustand/vanilla';

/** What the user sees in this tab: the open chatroom, and whether it is scrolled to its end. */
export interface ViewState {
  chatroomId: string | undefined;
  isAtBottom: boolean;
  setView: (chatroomId: string | undefined, isAtBottom: boolean) => void;
}

/** Creates the store. The user interface updates it when a chatroom is opened, scrolled or left. */
export function createViewStore(): StoreApi<ViewState> {
  return createStore<ViewState>()((set) => ({
    chatroomId: undefined,
    isAtBottom: false,
    setView: (chatroomId, isAtBottom) =>
      set((state) =>
        state.chatroomId === chatroomId && state.isAtBottom === isAtBottom
          ? state
          : { chatroomId, isAtBottom },
      ),
  }));
}
