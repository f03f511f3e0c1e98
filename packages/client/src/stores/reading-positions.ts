import { createStore, type StoreApi } from 'zustand/vanilla';

/** The topmost visible message when the user left a chatroom. */
export interface ReadingPosition {
  /** Key of the message's row. */
  key: string;
  seq: number;
  /** Distance of the row's top edge above the top edge of the list, in pixels. */
  offset: number;
}

/** Positions of chatrooms that the user left scrolled up. */
export interface ReadingPositionsState {
  positions: ReadonlyMap<string, ReadingPosition>;
  /** Sets a chatroom's position, or removes it if undefined, so that the chatroom opens at its end. */
  setPosition: (chatroomId: string, position: ReadingPosition | undefined) => void;
}

/** Creates the store. Positions are kept only in memory. */
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
