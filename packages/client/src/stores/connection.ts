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
  wasRestored: boolean;
  /** Since when it is gone, in milliseconds since 1970; undefined while it is not. */
  disconnectedAt: number | undefined;
  setStatus: (status: ConnectionStatus) => void;
  clearRestored: () => void;
}

/** A break shorter than this is not worth a word. Milliseconds. */
export const DISCONNECT_NOTICE_DELAY = 1_500;

/** Creates the store: `connecting`. */
export function createConnectionStore(): StoreApi<ConnectionState> {
  return createStore<ConnectionState>()((set) => ({
    status: 'connecting',
    wasRestored: false,
    disconnectedAt: undefined,
    setStatus: (status) =>
      set(({ disconnectedAt, wasRestored }) => {
        if (status === 'reconnecting' || status === 'offline') {
          return { status, wasRestored: false, disconnectedAt: disconnectedAt ?? Date.now() };
        }
        if (status !== 'online') return { status };
        const wasNoticed =
          disconnectedAt !== undefined && Date.now() - disconnectedAt > DISCONNECT_NOTICE_DELAY;
        return { status, wasRestored: wasRestored || wasNoticed, disconnectedAt: undefined };
      }),
    clearRestored: () => set({ wasRestored: false }),
  }));
}
