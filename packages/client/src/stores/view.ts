import { createStore, type StoreApi } from 'zustand/vanilla';

/** The user's view: the open chatroom, and whether it is scrolled to its end. */
export interface ViewState {
  chatroomId: string | undefined;
  isAtBottom: boolean;
  setView: (chatroomId: string | undefined, isAtBottom: boolean) => void;
}

/** Creates the store. The open chatroom updates it. */
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
