import type { DeletedMessage, Language, Message, SessionEndReason, Volume } from '@parley/contract';

/** What happened, after it was committed. `members` are the ids of the users it concerns. */
export type DomainEvent =
  | { type: 'message-sent'; message: Message; members: readonly string[] }
  | { type: 'message-edited'; message: Message; members: readonly string[] }
  | { type: 'message-deleted'; deleted: DeletedMessage; members: readonly string[] }
  | { type: 'room-read'; userId: string; chatroom: string; readSeq: number; unread: number }
  | { type: 'partner-deleted'; chatroom: string; members: readonly string[] }
  /** Those settings that changed. */
  | {
      type: 'settings-changed';
      userId: string;
      settings: { language?: Language; volume?: Volume };
    }
  /** `sessionIds` are public ids, as in the session list. */
  | { type: 'sessions-ended'; sessionIds: readonly string[]; reason: SessionEndReason }
  /** A mail waits to be handed over. */
  | { type: 'mail-queued' }
  /** The list of what is left to erase has a new entry. */
  | { type: 'erasure-queued' };

type Listener = (event: DomainEvent) => void;

/** Carries domain events from the write queue to whoever passes them on, in the order of commit. */
export interface EventBus {
  publish(event: DomainEvent): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: Listener): () => void;
}

/** An event bus within this process. A listener must not throw. */
export function createEventBus(): EventBus {
  const listeners = new Set<Listener>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
