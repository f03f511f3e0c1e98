import type { PartnerPresence } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** What partners are doing right now. Not stored. */
export interface ActivityState {
  /** Chatrooms in which the partner is typing. */
  typing: ReadonlySet<string>;
  setTyping: (chatroomId: string, isTyping: boolean) => void;
  /** The presence of partners by chatroom. Those who do not share it are missing. */
  presence: Readonly<Record<string, PartnerPresence>>;
  /** Changes what is known, null for nothing. If `isComplete`, forgets everything else. */
  setPresence: (
    rooms: Readonly<Record<string, PartnerPresence | null>>,
    isComplete?: boolean,
  ) => void;
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
    presence: {},
    setPresence: (rooms, isComplete = false) =>
      set(({ presence }) => {
        const next = isComplete ? {} : { ...presence };
        for (const [chatroomId, told] of Object.entries(rooms)) {
          if (told === null) delete next[chatroomId];
          else next[chatroomId] = told;
        }
        return { presence: next };
      }),
  }));
}
