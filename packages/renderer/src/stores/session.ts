import type { CurrentUser, SessionEndReason } from '@parley/contract';
import { create } from 'zustand';

/** Who is signed in here. */
export interface SessionState {
  /** `undefined` while nobody is signed in. */
  user: CurrentUser | undefined;
  /** Why the last session ended, until the next begins. */
  ended: SessionEndReason | undefined;
  begin: (user: CurrentUser) => void;
  /** Keeps what the person changed about themselves. */
  change: (changed: Partial<Pick<CurrentUser, 'language' | 'volume'>>) => void;
  /** Signs out on this side. Nothing happens while nobody is signed in. */
  end: (reason: SessionEndReason) => void;
}

export const useSession = create<SessionState>()((set) => ({
  user: undefined,
  ended: undefined,
  begin: (user) => set({ user, ended: undefined }),
  change: (changed) => set(({ user }) => ({ user: user && { ...user, ...changed } })),
  end: (reason) => set(({ user }) => (user ? { user: undefined, ended: reason } : {})),
}));

/** The signed-in person. Only on screens that nobody else can see. */
export function useUser(): CurrentUser {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('this screen is for signed-in persons only');
  return user;
}
