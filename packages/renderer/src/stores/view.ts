import { create } from 'zustand';

/** What the reader has before them: which room, and whether its end is in sight. */
export interface ViewState {
  chatId: string | undefined;
  isAtBottom: boolean;
  setView: (chatId: string | undefined, isAtBottom: boolean) => void;
  reset: () => void;
}

/** Filled by the room that is open. */
export const useView = create<ViewState>()((set) => ({
  chatId: undefined,
  isAtBottom: false,
  setView: (chatId, isAtBottom) =>
    set((state) =>
      state.chatId === chatId && state.isAtBottom === isAtBottom ? state : { chatId, isAtBottom },
    ),
  reset: () => set({ chatId: undefined, isAtBottom: false }),
}));

/** Whether a person looks at this page: it is in front and has the focus. */
export function isPageAttended(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

/** Whether a new message of a room is seen the moment it arrives. */
export function isRoomAttended({ chatId, isAtBottom }: ViewState, room: string): boolean {
  return chatId === room && isAtBottom && isPageAttended();
}
