import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReadingPosition } from './reading-positions.ts';

/** What the user sees in this tab: the open chatroom, and whether it is scrolled to its end. */
export interface ViewState {
  chatroomId: string | undefined;
  isAtBottom: boolean;
  /**
   * Finds where the user reads in the open chatroom, unless that is its end, or where a message is shown. Undefined
   * until the chatroom shows messages.
   */
  findPosition: ((seq?: number) => ReadingPosition | undefined) | undefined;
  /** Sets the finder of the open chatroom. Returns a function that removes it. */
  setFinder: (findPosition: NonNullable<ViewState['findPosition']>) => () => void;
  setView: (chatroomId: string | undefined, isAtBottom: boolean) => void;
}

/** Creates the store. The user interface updates it when a chatroom is opened, scrolled or left. */
export function createViewStore(): StoreApi<ViewState> {
  return createStore<ViewState>()((set, get) => ({
    chatroomId: undefined,
    isAtBottom: false,
    findPosition: undefined,
    setFinder: (findPosition) => {
      set({ findPosition });
      return () => {
        if (get().findPosition === findPosition) set({ findPosition: undefined });
      };
    },
    setView: (chatroomId, isAtBottom) =>
      set((state) =>
        state.chatroomId === chatroomId && state.isAtBottom === isAtBottom
          ? state
          : {
              chatroomId,
              isAtBottom,
              findPosition: state.chatroomId === chatroomId ? state.findPosition : undefined,
            },
      ),
  }));
}
