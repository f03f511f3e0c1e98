import type { ChangedSettings, PublicConfig, SessionEndReason } from '@parley/contract';
import type { ApiError } from './api/client.ts';
import type { IncomingMessage } from './notification-arbiter.ts';
import type { ChangeTypeName } from './outbox/changes/change-types.ts';
import type { OutboxEntry } from './outbox/outbox-entry.ts';

/** Events of a client. */
export interface ClientEvents {
  onSessionEnded: (reason: SessionEndReason) => void;
  /** Called with the settings that the user changed on another device. */
  onSettings: (changed: ChangedSettings) => void;
  /** Called for each new message of another user, received live or found after a reconnect. */
  onIncoming: (incoming: IncomingMessage) => void;
  /** Called for each reaction of another user to a message of the user, like `onIncoming`. */
  onReaction: (reaction: IncomingMessage) => void;
  /** Called in only one tab for a new message or reaction that the user does not see. */
  onUnseen: (incoming: IncomingMessage) => void;
  /** Called when the server has stored a message sent from this tab. */
  onSent: () => void;
  /**
   * Called when an entry is no longer retried: the server refused a message, or a file or first
   * message failed and became a draft again. With code `partner_deleted`, all of the chatroom's
   * unsent files of the same kind are discarded.
   */
  onSendRefused: (entry: OutboxEntry, error: ApiError) => void;
  /**
   * Called when the server refused a change, which is no longer shown. The text of a refused edit is added to the
   * draft.
   */
  onChangeRefused: (error: ApiError, type: ChangeTypeName) => void;
  onMarkReadFailed: () => void;
  /** Called when the server is back with a version that this client does not support. */
  onVersionMismatch: (config: PublicConfig) => void;
}
