import type { Message } from '@parley/contract';
import { create } from 'zustand';

/** Which own message the reader is changing. */
export interface EditingState {
  message: Message | undefined;
  /** What it is to become. */
  text: string;
  setText: (text: string) => void;
  start: (message: Message) => void;
  stop: () => void;
}

/** One message at a time, in the room that is open. */
export const useEditing = create<EditingState>()((set) => ({
  message: undefined,
  text: '',
  setText: (text) => set({ text }),
  start: (message) => set({ message, text: message.content }),
  stop: () => set({ message: undefined, text: '' }),
}));
