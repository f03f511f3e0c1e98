import { createStore, type StoreApi } from 'zustand/vanilla';

/**
 * Status of the live connection: `connecting` for the first time, `online`, `reconnecting` after a
 * disconnection, `polling` while the server responds but no live connection can be opened, or `offline`
 * while the device has no network.
 */
export type ConnectionStatus = 'connecting' | 'online' | 'reconnecting' | 'polling' | 'offline';

type KnownStatus = Pick<ConnectionState, 'status'>;

/** Returns whether the server responds and the state is current, or at most seconds old. */
export function isServerReachable({ status }: KnownStatus): boolean {
  return status === 'online' || status === 'polling';
}

/** Returns whether a change of the status means that the server responds again, or for the first time. */
export function hasBecomeReachable(now: KnownStatus, before: KnownStatus): boolean {
  return isServerReachable(now) && !isServerReachable(before);
}

/** Returns whether a change of the status means that the server responds after a disconnection. */
export function hasReconnected(
  now: KnownStatus,
  before: Pick<ConnectionState, 'disconnectedAt'>,
): boolean {
  return isServerReachable(now) && before.disconnectedAt !== undefined;
}

/** Returns whether a request is likely to reach the server. */
export function mayReachServer({ status }: KnownStatus): boolean {
  return isServerReachable({ status }) || status === 'connecting';
}

/** State of the live connection. */
export interface ConnectionState {
  status: ConnectionStatus;
  /** Whether the connection was restored after a noticeable disconnection, which a banner shows for a while. */
  wasRestored: boolean;
  /** When the connection was lost, in milliseconds since 1970. Undefined while the server is reachable. */
  disconnectedAt: number | undefined;
  setStatus: (status: ConnectionStatus) => void;
  clearRestored: () => void;
}

/** Shorter disconnections are not shown. Milliseconds. */
export const DISCONNECT_NOTICE_DELAY_MS = 1_500;

/** Creates the store. Its status is `connecting`. */
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
        if (status === 'polling') return { status, disconnectedAt: undefined };
        if (status !== 'online') return { status };
        const wasNoticed =
          disconnectedAt !== undefined && Date.now() - disconnectedAt > DISCONNECT_NOTICE_DELAY_MS;
        return { status, wasRestored: wasRestored || wasNoticed, disconnectedAt: undefined };
      }),
    clearRestored: () => set({ wasRestored: false }),
  }));
}
