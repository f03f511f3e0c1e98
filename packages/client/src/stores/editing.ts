import type { Message } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Which own message the user is editing. */
export interface EditingState {
  message: Message | undefined;
  /** What it is to become. */
  text: string;
  setText: (text: string) => void;
  start: (message: Message) => void;
  stop: () => void;
}

/** Creates the store. One message at a time is edited, in the chatroom that is open. */
export function createEditingStore(): StoreApi<EditingState> {
  return createStore<EditingState>()((set) => ({
    message: undefined,
    text: '',
    setText: (text) => set({ text }),
    start: (message) => set({ message, text: message.content }),
    stop: () => set({ message: undefined, text: '' }),
  }));
}
