import { create } from 'zustand';
import type { ChatSession } from './chat-session.ts';

/** The chats that `ChatProvider` runs; undefined while nobody is signed in. */
export const useCurrentChat = create<{ session: ChatSession | undefined }>()(() => ({
  session: undefined,
}));

/** The signed-in person's chats. Only inside `ChatProvider`. */
export function useChat(): ChatSession {
  const session = useCurrentChat((state) => state.session);
  if (!session) throw new Error('useChat needs a ChatProvider above it');
  return session;
}
