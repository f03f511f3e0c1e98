import type { Language, Volume } from './schemas/index.ts';
import type { DeletedMessage, Message } from './schemas/messages.ts';

/**
 * Socket.IO events that the server sends, by name. `message`, `message-update` and `message-delete`
 * are all that a client needs; the others spare it a request.
 */
export interface ServerEvents {
  /** A new message in one of the person's rooms, their own from other devices included. */
  message: (message: Message) => void;
  'message-update': (event: { updatedMessage: Message }) => void;
  'message-delete': (event: { deletedMessage: DeletedMessage }) => void;
  /** The person read a room on one of their devices. Older servers do not tell in which `rev` so many were unread. */
  'chat-read': (event: {
    chatroom: string;
    readSeq: number;
    unreadMessagesCount: number;
    rev?: number;
  }) => void;
  /** The partner of a room deleted their account; their messages are gone. */
  'partner-deleted': (event: { chatroom: string }) => void;
  /** The user changed settings on one of their devices: those that changed. */
  settings: (event: { language?: Language; volume?: Volume }) => void;
  /** Sent right before the server closes the connection, as its session was ended. */
  'session-ended': (event: { reason: SessionEndReason }) => void;
}

/** Why a session ended: here or on another device, by a new password, or with the account. */
export type SessionEndReason =
  | 'logout'
  | 'revoked'
  | 'password-changed'
  | 'account-deleted'
  | 'expired';
