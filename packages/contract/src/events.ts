import type { Language } from '@parley/texts';
import type { ChatStatus, Volume, WhoMayWrite } from './schemas/index.ts';
import type { DeletedMessage, LastReaction, Message } from './schemas/messages.schemas.ts';

/**
 * Socket.IO events sent by the server, by name. Clients need only `message`, `message-update` and
 * `message-delete`. The other events only save requests.
 */
export interface ServerEvents {
  /** A new message in one of the user's chatrooms. Also sent to all devices of its sender. */
  message: (message: Message) => void;
  'message-update': (event: { updatedMessage: Message }) => void;
  'message-delete': (event: { deletedMessage: DeletedMessage }) => void;
  /**
   * The partner reacted to a message of the user, or took a reaction back. `rev` is the revision of the
   * `message-update` that shows the reactions.
   */
  reaction: (event: {
    chatroom: string;
    rev: number;
    reaction: LastReaction;
    isOn: boolean;
  }) => void;
  /**
   * The user read a chatroom on one of their devices. `rev` is the revision of the chatroom at
   * which the unread messages were counted. Older servers omit it.
   */
  'chat-read': (event: {
    chatroom: string;
    readSeq: number;
    unreadMessagesCount: number;
    rev?: number;
  }) => void;
  /**
   * The partner received or read messages up to these positions. Only between members who have
   * accepted each other and share receipts.
   */
  'chat-receipt': (event: { chatroom: string; deliveredSeq: number; readSeq: number }) => void;
  /**
   * The partner is typing. Sent again every few seconds, so clients show it for `UI.typingShown` or
   * until the next message. Only between members who have accepted each other and share it.
   */
  typing: (event: { chatroom: string }) => void;
  /** The partner in a chatroom deleted their account and thereby their messages. */
  'partner-deleted': (event: { chatroom: string }) => void;
  /** The user accepted, declined, blocked or unblocked a chat on one of their devices. */
  'chat-status': (event: { chatroom: string; status: ChatStatus }) => void;
  /** The user changed these settings on one of their devices. */
  settings: (event: {
    language?: Language;
    volume?: Volume;
    whoMayWrite?: WhoMayWrite;
    isDiscoverable?: boolean;
    sharesReceipts?: boolean;
    sharesTyping?: boolean;
  }) => void;
  /** Sent immediately before the server closes the connection of an ended session. */
  'session-ended': (event: { reason: SessionEndReason }) => void;
}

/** Socket.IO events sent by clients, by name. The server does not respond to them. */
export interface ClientSignals {
  /** The user is typing in a chatroom. Sent at most every `UI.typingInterval`. */
  typing: (event: { chatroom: string }) => void;
}

/** Why a session ended. */
export type SessionEndReason =
  | 'logout'
  | 'revoked'
  | 'password-changed'
  | 'account-deleted'
  | 'expired';
