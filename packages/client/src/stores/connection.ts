import { createStore, type StoreApi } from 'zustand/vanilla';

/**
 * How the live connection stands: `connecting` for the first time, `online`, `reconnecting` after a
 * break, `offline` while the device itself has no network.
 */
export type ConnectionStatus = 'connecting' | 'online' | 'reconnecting' | 'offline';

/** The live connection, as the user is told of it. */
export interface ConnectionState {
  status: ConnectionStatus;
  /** Whether the connection came back after a break that was noticed; a banner says so for a while. */
  isBack: boolean;
  /** Since when it is gone, in milliseconds since 1970; undefined while it is not. */
  goneSince: number | undefined;
  setStatus: (status: ConnectionStatus) => void;
  clearBack: () => void;
}

/** A break shorter than this is not worth a word. Milliseconds. */
export const NOTICED_AFTER = 1_500;

/** Creates the store: `connecting`. */
export function createConnectionStore(): StoreApi<ConnectionState> {
  return createStore<ConnectionState>()((set) => ({
    status: 'connecting',
    isBack: false,
    goneSince: undefined,
    setStatus: (status) =>
      set(({ goneSince, isBack }) => {
        if (status === 'reconnecting' || status === 'offline') {
          return { status, isBack: false, goneSince: goneSince ?? Date.now() };
        }
        if (status !== 'online') return { status };
        const wasNoticed = goneSince !== undefined && Date.now() - goneSince > NOTICED_AFTER;
        return { status, isBack: isBack || wasNoticed, goneSince: undefined };
      }),
    clearBack: () => set({ isBack: false }),
  }));
}
