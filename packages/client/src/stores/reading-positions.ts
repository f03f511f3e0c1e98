import { createStore, type StoreApi } from 'zustand/vanilla';

/** Where a chatroom was left: the topmost message in sight. */
export interface ReadingPosition {
  /** Key of the message's row. */
  key: string;
  seq: number;
  /** How far the row's upper edge is above the list's, in pixels. */
  offset: number;
}

/** The positions of the chatrooms that were left away from their end. */
export interface ReadingPositionsState {
  positions: ReadonlyMap<string, ReadingPosition>;
  /** Keeps a chatroom's position; `undefined` if it is to open at its end. */
  setPosition: (chatroomId: string, position: ReadingPosition | undefined) => void;
}

/** Creates the store. Positions are kept in memory alone. */
export function createReadingPositionsStore(): StoreApi<ReadingPositionsState> {
  return createStore<ReadingPositionsState>()((set) => ({
    positions: new Map(),
    setPosition: (chatroomId, position) =>
      set((state) => {
        const positions = new Map(state.positions);
        if (position) positions.set(chatroomId, position);
        else positions.delete(chatroomId);
        return { positions };
      }),
  }));
}
