import { createContext, useContext } from 'react';
import type { ChatSession } from './chat-session.ts';

/** The signed-in person's chats; `ChatProvider` provides them. */
export const ChatContext = createContext<ChatSession | undefined>(undefined);

/** The signed-in person's chats. Only inside `ChatProvider`. */
export function useChat(): ChatSession {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error('useChat needs a ChatProvider above it');
  return chat;
}
