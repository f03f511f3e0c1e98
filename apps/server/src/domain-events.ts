import type { FastifyBaseLogger } from 'fastify';
import type {
  ChangedSettings,
  DeletedMessage,
  LastReaction,
  NotificationSettings,
  SessionEndReason,
  UserEmails,
} from '@parley/contract';
import type { ViewedChat, ViewedMessage } from './viewed-message.ts';

/** What a user has in view on the devices that are connected to one server. */
export interface UserView {
  userId: string;
  /** Whether one of the devices is in use. */
  isActive: boolean;
  /** The chatrooms in view. */
  chatroomIds: readonly string[];
}

/** A committed change. `members` are the ids of the affected users. */
export type DomainEvent =
  | {
      type: 'message-sent';
      message: ViewedMessage;
      members: readonly string[];
      /** The member, if any, who has not accepted the sender, and whether the message arrives quietly. */
      unaccepted?: { userId: string; isQuiet: boolean };
      /** The sender, if the message arrives as part of a quiet request, whether or not the partner sees it. */
      quietSenderId?: string;
    }
  | { type: 'message-edited'; message: ViewedMessage; members: readonly string[] }
  /** A message has other reactions. Members who see different ones get an event each. */
  | { type: 'message-reacted'; message: ViewedMessage; members: readonly string[] }
  /** The partner of a user reacted to a message of the user, or took a reaction back. */
  | {
      type: 'reaction-received';
      userId: string;
      chatroomId: string;
      rev: number;
      reaction: LastReaction;
      isOn: boolean;
    }
  /** The partner of a user has accepted an invitation of the user. A `chat-changed` with the new state precedes it. */
  | { type: 'invitation-accepted'; userId: string; chatroomId: string; acceptedAt: number }
  | { type: 'message-deleted'; deleted: DeletedMessage; members: readonly string[] }
  /** A chat has changed for a user, other than by a message. */
  | { type: 'chat-changed'; userId: string; chat: ViewedChat }
  /** The partner of `userId` is typing. Belongs to no write. */
  | { type: 'typing'; userId: string; chatroomId: string }
  /**
   * Users are online at a server, in addition to earlier ones unless `isComplete`. Belongs to no write.
   */
  | { type: 'users-online'; server: string; userIds: readonly string[]; isComplete: boolean }
  /** Users are no longer online at a server. */
  | { type: 'users-offline'; server: string; userIds: readonly string[] }
  /** A server closes. Its users connect to other ones. */
  | { type: 'server-closing'; server: string }
  /** A server asks the others who is online. Belongs to no write. */
  | { type: 'presence-requested'; server: string }
  /** A member of a chatroom accepted, declined, blocked or unblocked the other one. */
  | { type: 'relationship-changed'; userId: string; chatroomId: string }
  /** `settings` contains only those that changed. */
  | { type: 'settings-changed'; userId: string; settings: ChangedSettings }
  /** The address of an account was changed, or the one that its user wants to change to. */
  | { type: 'email-changed'; userId: string; emails: UserEmails }
  /** `sessionIds` are public ids, as in the session list. */
  | { type: 'sessions-ended'; sessionIds: readonly string[]; reason: SessionEndReason }
  /** The file of an upload was replaced under its name. */
  | { type: 'media-replaced'; file: string }
  /** A user changed the settings of notifications. */
  | { type: 'notification-settings'; userId: string; settings: NotificationSettings }
  /**
   * What users have in view on the devices that are connected to a server, instead of what it has
   * reported of them before; or of all users if `isComplete`. Belongs to no write.
   */
  | {
      type: 'views-changed';
      server: string;
      users: readonly UserView[];
      isComplete: boolean;
    }
  /** A server asks the others for what their users have in view. Belongs to no write. */
  | { type: 'views-requested'; server: string }
  /** There is a push subscription. */
  | { type: 'push-subscribed' }
  /** A notification was added to the queue. */
  | { type: 'push-queued' }
  /** A mail was added to the queue. */
  | { type: 'mail-queued' }
  /** An export was added to the queue. */
  | { type: 'export-queued' }
  /** An erasure was added to the queue. */
  | { type: 'erasure-queued' }
  /**
   * Events of other processes may have been missed. Caches that events keep current are outdated,
   * and clients must resync.
   */
  | { type: 'events-missed' };

type Listener = (event: DomainEvent) => void;

/** Delivers domain events to listeners in commit order. */
export interface EventBus {
  /** Calls every listener. An error of one is logged and does not affect the others. */
  readonly publish: (event: DomainEvent) => void;
  /** Adds a listener. Returns a function that removes it. */
  subscribe(listener: Listener): () => void;
}

/** Creates an event bus within this process. */
export function createEventBus(log: Pick<FastifyBaseLogger, 'error'>): EventBus {
  const listeners = new Set<Listener>();
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ err: error, event: event.type }, 'a listener failed');
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
