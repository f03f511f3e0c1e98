import { createStore, type StoreApi } from 'zustand/vanilla';

/** Which recording is playing: one at a time. */
export interface PlaybackState {
  /** Key of the player that was started last. */
  key: string | undefined;
  /** Speed of all players. */
  speed: 1 | 1.5 | 2;
  start: (key: string) => void;
  /** A player stopped; nothing happens if another one plays by now. */
  stop: (key: string) => void;
  nextSpeed: () => void;
}

/** Creates the store that all players share, so that starting one stops the others. */
export function createPlaybackStore(): StoreApi<PlaybackState> {
  return createStore<PlaybackState>()((set) => ({
    key: undefined,
    speed: 1,
    start: (key) => set({ key }),
    stop: (key) => set((state) => (state.key === key ? { key: undefined } : state)),
    nextSpeed: () => set(({ speed }) => ({ speed: speed === 1 ? 1.5 : speed === 1.5 ? 2 : 1 })),
  }));
}
