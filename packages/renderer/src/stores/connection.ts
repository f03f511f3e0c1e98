import { create } from 'zustand';

/**
 * How the live connection stands: `idle` when nobody is signed in, `connecting` for the first time,
 * `online`, `reconnecting` after a break, `offline` while the device itself has no network.
 */
export type ConnectionStatus = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'offline';

/** The live connection, as the reader is told of it. */
export interface ConnectionState {
  status: ConnectionStatus;
  /** Whether the connection came back after a break that was noticed; a banner says so for a while. */
  isBack: boolean;
  /** Since when it is gone, in milliseconds since 1970; undefined while it is not. */
  goneSince: number | undefined;
  /** Whether the server's certificate is not trusted. Only the desktop app knows; a browser says so itself. */
  isCertificateRefused: boolean;
  setStatus: (status: ConnectionStatus) => void;
  setCertificateRefused: (isRefused: boolean) => void;
  clearBack: () => void;
  reset: () => void;
}

/** A break shorter than this is not worth a word. Milliseconds. */
export const NOTICED_AFTER = 1_500;

const IDLE: Pick<ConnectionState, 'status' | 'isBack' | 'goneSince'> = {
  status: 'idle',
  isBack: false,
  goneSince: undefined,
};

/** `idle` while nobody is signed in. */
export const useConnection = create<ConnectionState>()((set) => ({
  ...IDLE,
  isCertificateRefused: false,
  setStatus: (status) =>
    set(({ goneSince, isBack }) => {
      if (status === 'reconnecting' || status === 'offline') {
        return { status, isBack: false, goneSince: goneSince ?? Date.now() };
      }
      if (status !== 'online') return { status };
      const wasNoticed = goneSince !== undefined && Date.now() - goneSince > NOTICED_AFTER;
      return {
        status,
        isBack: isBack || wasNoticed,
        goneSince: undefined,
        isCertificateRefused: false,
      };
    }),
  setCertificateRefused: (isCertificateRefused) => set({ isCertificateRefused }),
  clearBack: () => set({ isBack: false }),
  reset: () => set(IDLE),
}));
