import type { Message } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** The message that the user is editing. */
export interface EditingState {
  message: Message | undefined;
  /** The edited text. */
  text: string;
  setText: (text: string) => void;
  start: (message: Message) => void;
  stop: () => void;
}

/** Creates the store. Only one message is edited at a time, in the open chatroom. */
export function createEditingStore(): StoreApi<EditingState> {
  return createStore<EditingState>()((set) => ({
    message: undefined,
    text: '',
    setText: (text) => set({ text }),
    start: (message) => set({ message, text: message.content }),
    stop: () => set({ message: undefined, text: '' }),
  }));
}
