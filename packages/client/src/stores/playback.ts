import { createStore, type StoreApi } from 'zustand/vanilla';

/** The recording that is playing. Only one plays at a time. */
export interface PlaybackState {
  /** Key of the player that started last. */
  key: string | undefined;
  /** Speed of all players. */
  speed: 1 | 1.5 | 2;
  start: (key: string) => void;
  /** Records that a player has stopped. Does nothing if another player has started. */
  stop: (key: string) => void;
  nextSpeed: () => void;
}

/** Creates the store shared by all players, so that starting one stops the others. */
export function createPlaybackStore(): StoreApi<PlaybackState> {
  return createStore<PlaybackState>()((set) => ({
    key: undefined,
    speed: 1,
    start: (key) => set({ key }),
    stop: (key) => set((state) => (state.key === key ? { key: undefined } : state)),
    nextSpeed: () => set(({ speed }) => ({ speed: speed === 1 ? 1.5 : speed === 1.5 ? 2 : 1 })),
  }));
}
