import type { ChangedSettings, PublicConfig, SessionEndReason, UserEmails } from '@parley/contract';
import type { IncomingMessage } from './notification-arbiter.ts';
import type { OutboxEvents } from './outbox/outbox-context.ts';

/** Events of a client. */
export interface ClientEvents extends OutboxEvents {
  onSessionEnded: (reason: SessionEndReason) => void;
  /** Called with the settings that the user changed on another device. */
  onSettings: (changed: ChangedSettings) => void;
  /** Called with the email addresses of the user when they may have changed on another device. */
  onEmail: (emails: UserEmails) => void;
  /** Called for each new message of another user, received live or found after a reconnect. */
  onIncoming: (incoming: IncomingMessage) => void;
  /** Called for each reaction of another user to a message of the user, like `onIncoming`. */
  onReaction: (reaction: IncomingMessage) => void;
  /** Called in only one tab for a new message or reaction that the user does not see. */
  onUnseen: (incoming: IncomingMessage) => void;
  /** Called when the server is back with a version that this client does not support. */
  onVersionMismatch: (config: PublicConfig) => void;
}
