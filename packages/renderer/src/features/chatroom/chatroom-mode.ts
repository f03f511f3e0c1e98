import { createContext, useContext } from 'react';

/** What the messages of a room allow. */
export interface ChatroomMode {
  /** Whether images, recordings and links are plain text, as the user has not accepted the partner's quiet request. */
  isQuiet: boolean;
  /** Whether messages cannot be edited, as the partner is blocked or deleted. */
  isReadOnly: boolean;
  /** Whether the user can react to messages: not before the partner is accepted, or if the partner is blocked or deleted. */
  canReact: boolean;
  /** Whether the user can reply to messages: not to a quiet request, or if the partner is blocked or deleted. */
  canReply: boolean;
}

/** The mode of the open room. */
export const ChatroomModeContext = createContext<ChatroomMode>({
  isQuiet: false,
  isReadOnly: false,
  canReact: false,
  canReply: false,
});

/** Returns the mode of the open room. */
export function useChatroomMode(): ChatroomMode {
  return useContext(ChatroomModeContext);
}
