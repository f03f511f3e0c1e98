import type {
  ChangedSettings,
  ChatSettings,
  ChatStatus,
  NotificationSettings,
} from './schemas/index.ts';
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
  /**
   * The presence of the partners in these chatrooms, null if it is no longer told. Complete events
   * name all partners whose presence the user is told. Sent only to connections that have sent
   * `presence`, and only between members who have accepted and not blocked each other and share it.
   */
  presence: (event: { rooms: Record<string, PartnerPresence | null>; isComplete: boolean }) => void;
  /** The partner in a chatroom deleted their account and thereby their messages. */
  'partner-deleted': (event: { chatroom: string }) => void;
  /**
   * The partner accepted the messages of the user, without answering them. Declining and blocking send
   * nothing.
   */
  'chat-accepted': (event: { chatroom: string }) => void;
  /** The user accepted, declined, blocked or unblocked a chat on one of their devices. */
  'chat-status': (event: { chatroom: string; status: ChatStatus }) => void;
  /** The user pinned, archived, muted or marked a chat, or opened a chat marked as unread. */
  'chat-settings': (event: { chatroom: string; settings: ChatSettings }) => void;
  /** The user changed the settings of notifications on one of their devices. */
  'notification-settings': (event: { settings: NotificationSettings }) => void;
  /** The user changed these settings on one of their devices. */
  settings: (event: ChangedSettings) => void;
  /** Sent immediately before the server closes the connection of an ended session. */
  'session-ended': (event: { reason: SessionEndReason }) => void;
}

/** Socket.IO events sent by clients, by name. The server does not respond to them. */
export interface ClientSignals {
  /** The user is typing in a chatroom. Sent at most every `UI.typingInterval`. */
  typing: (event: { chatroom: string }) => void;
  /**
   * Whether this device is in use. The first one of a connection also requests the event `presence`.
   * The user is online while a device is in use.
   */
  presence: (event: { isActive: boolean }) => void;
  /**
   * The chatroom that the user has in view on this device, null if none: it is open, and the window is
   * visible and has the focus. Sent at each change and on each connection. No device is notified of
   * messages in it.
   */
  attend: (event: { chatroom: string | null }) => void;
}

/** What a user is told about the presence of a partner. */
export interface PartnerPresence {
  isOnline: boolean;
  /**
   * When the partner was last online, ISO 8601 in UTC: to the minute within the last hour, else to
   * half an hour. Missing while the partner is online and if it is not known.
   */
  lastSeenAt?: string;
}

/** Why a session ended. */
export type SessionEndReason =
  | 'logout'
  | 'revoked'
  | 'password-changed'
  | 'account-deleted'
  | 'expired';
