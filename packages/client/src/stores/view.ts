import { createStore, type StoreApi } from 'zustand/vanilla';

/** What the user has before them: which chatroom, and whether its end is in sight. */
export interface ViewState {
  chatroomId: string | undefined;
  isAtBottom: boolean;
  setView: (chatroomId: string | undefined, isAtBottom: boolean) => void;
}

/** Creates the store; the chatroom that is open fills it. */
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
