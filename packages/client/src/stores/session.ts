import type { ChangedSettings, CurrentUser, SessionEndReason, UserEmails } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** The session of the current user. */
export interface SessionState {
  /** Undefined for a guest. */
  user: CurrentUser | undefined;
  /** Why the last session ended. Undefined once the next one begins. */
  endReason: SessionEndReason | undefined;
  /** Whether the user is deleting their account here, so that the end of the session is expected. */
  isDeletingAccount: boolean;
  begin: (user: CurrentUser) => void;
  /** Applies changed settings of the user. */
  changeSettings: (changed: ChangedSettings) => void;
  /** Applies the email address of the user and the one to change to, if any. */
  changeEmail: (emails: UserEmails) => void;
  setDeletingAccount: (isDeletingAccount: boolean) => void;
  /** Ends the session locally. Does nothing for a guest. */
  end: (reason: SessionEndReason) => void;
}

/** The session store of an app. */
export type SessionStore = StoreApi<SessionState>;

/** Creates the store, initially for a guest. */
export function createSessionStore(): SessionStore {
  return createStore<SessionState>()((set) => ({
    user: undefined,
    endReason: undefined,
    isDeletingAccount: false,
    begin: (user) => set({ user, endReason: undefined, isDeletingAccount: false }),
    changeSettings: (changed) => set(({ user }) => ({ user: user && { ...user, ...changed } })),
    changeEmail: (emails) =>
      set(({ user }) => {
        if (!user) return {};
        const { newUsermail: _before, ...rest } = user;
        return { user: { ...rest, ...emails } };
      }),
    setDeletingAccount: (isDeletingAccount) => set({ isDeletingAccount }),
    end: (reason) =>
      set((state) => {
        if (!state.user) return state;
        const endReason = state.isDeletingAccount ? 'logout' : reason;
        return { user: undefined, endReason, isDeletingAccount: false };
      }),
  }));
}
