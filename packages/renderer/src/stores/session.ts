import type { CurrentUser, SessionEndReason } from '@parley/contract';
import { create } from 'zustand';

/** Who is signed in here. */
export interface SessionState {
  /** `undefined` while nobody is signed in. */
  user: CurrentUser | undefined;
  /** Why the last session ended, until the next begins. */
  ended: SessionEndReason | undefined;
  /** The account is being deleted here: its end is a goodbye, no surprise. */
  isLeaving: boolean;
  begin: (user: CurrentUser) => void;
  /** Keeps what the person changed about themselves. */
  change: (changed: Partial<Pick<CurrentUser, 'language' | 'volume'>>) => void;
  setLeaving: (isLeaving: boolean) => void;
  /** Signs out on this side. Nothing happens while nobody is signed in. */
  end: (reason: SessionEndReason) => void;
}

/** One for the whole page; tabs learn of each other's sign-out from the server. */
export const useSession = create<SessionState>()((set) => ({
  user: undefined,
  ended: undefined,
  isLeaving: false,
  begin: (user) => set({ user, ended: undefined, isLeaving: false }),
  change: (changed) => set(({ user }) => ({ user: user && { ...user, ...changed } })),
  setLeaving: (isLeaving) => set({ isLeaving }),
  end: (reason) =>
    set(({ user, isLeaving }) =>
      user ? { user: undefined, ended: isLeaving ? 'logout' : reason, isLeaving: false } : {},
    ),
}));

/** The signed-in person. Only on screens that nobody else can see. */
export function useUser(): CurrentUser {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('this screen is for signed-in persons only');
  return user;
}
