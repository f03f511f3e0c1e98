import { create } from 'zustand';

/**
 * How the live connection stands: `idle` when nobody is signed in, `connecting` for the first time,
 * `online`, `reconnecting` after a break, `offline` while the device itself has no network.
 */
export type ConnectionStatus = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'offline';

export interface ConnectionState {
  status: ConnectionStatus;
  /** Whether the connection came back after a break; a banner says so for a while. */
  isBack: boolean;
  setStatus: (status: ConnectionStatus) => void;
  clearBack: () => void;
  reset: () => void;
}

export const useConnection = create<ConnectionState>()((set) => ({
  status: 'idle',
  isBack: false,
  setStatus: (status) =>
    set((state) => ({
      status,
      isBack:
        status === 'online' &&
        (state.isBack || state.status === 'reconnecting' || state.status === 'offline'),
    })),
  clearBack: () => set({ isBack: false }),
  reset: () => set({ status: 'idle', isBack: false }),
}));
