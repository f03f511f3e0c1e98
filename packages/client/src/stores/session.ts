import type { CurrentUser, SessionEndReason } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Who is signed in. */
export interface SessionState {
  /** `undefined` while the visitor is a guest. */
  user: CurrentUser | undefined;
  /** Why the last session ended, until the next begins. */
  ended: SessionEndReason | undefined;
  /** The account is being deleted here: its end is a goodbye, no surprise. */
  isDeletingAccount: boolean;
  begin: (user: CurrentUser) => void;
  /** Keeps what the user changed about themselves. */
  change: (changed: Partial<Pick<CurrentUser, 'language' | 'volume'>>) => void;
  setDeletingAccount: (isDeletingAccount: boolean) => void;
  /** Signs out on this side. Nothing happens without a user. */
  end: (reason: SessionEndReason) => void;
}

/** The session of a whole application. */
export type SessionStore = StoreApi<SessionState>;

/** Creates the store of a guest. Tabs learn of each other's sign-out from the server. */
export function createSessionStore(): SessionStore {
  return createStore<SessionState>()((set) => ({
    user: undefined,
    ended: undefined,
    isDeletingAccount: false,
    begin: (user) => set({ user, ended: undefined, isDeletingAccount: false }),
    change: (changed) => set(({ user }) => ({ user: user && { ...user, ...changed } })),
    setDeletingAccount: (isDeletingAccount) => set({ isDeletingAccount }),
    end: (reason) =>
      set(({ user, isDeletingAccount }) =>
        user
          ? {
              user: undefined,
              ended: isDeletingAccount ? 'logout' : reason,
              isDeletingAccount: false,
            }
          : {},
      ),
  }));
}
