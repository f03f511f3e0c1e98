import { createBoundedCache } from '../../bounded-cache.ts';
import type { DomainEvent } from '../../domain-events.ts';

/** Publishes the events of all processes, those of a chatroom in the order of their revisions. */
export interface EventSequencer {
  readonly publish: (event: DomainEvent) => void;
  /** Publishes events that are held, as no more will come. */
  readonly close: () => void;
}

/** How long an event waits for an earlier one of its chatroom, in milliseconds. */
const HOLD_MS = 300;

/** Maximum number of chatrooms whose latest revision is known. */
const CHATROOMS_MAX = 50_000;

/** An event with its place in the chatroom. */
interface SequencedEvent {
  readonly event: DomainEvent;
  readonly chatroomId: string;
  readonly rev: number;
  /** The revision that must be published before it. */
  readonly after: number;
}

/** Events of a chatroom that wait for earlier ones. */
interface HeldEvents {
  readonly events: SequencedEvent[];
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Creates a sequencer. Notifications of two processes can arrive in another order than their
 * commits. A client that receives a revision before the previous one resyncs, which costs a
 * request.
 */
export function createEventSequencer(publish: (event: DomainEvent) => void): EventSequencer {
  const latestRevs = createBoundedCache<string, number>(CHATROOMS_MAX);
  const held = new Map<string, HeldEvents>();

  function publishSequenced({ event, chatroomId, rev }: SequencedEvent): void {
    latestRevs.set(chatroomId, Math.max(rev, latestRevs.get(chatroomId) ?? 0));
    publish(event);
  }

  function isNext({ chatroomId, after }: SequencedEvent): boolean {
    const latest = latestRevs.get(chatroomId);
    return latest === undefined || after <= latest;
  }

  function hold(sequenced: SequencedEvent): void {
    const { chatroomId } = sequenced;
    const known = held.get(chatroomId);
    const timer = known?.timer ?? setTimeout(() => release(chatroomId, () => true), HOLD_MS);
    // A message before what is told about its chat at the same revision.
    const events = [...(known?.events ?? []), sequenced].toSorted(
      (a, b) => a.rev - b.rev || a.after - b.after,
    );
    held.set(chatroomId, { events, timer });
  }

  /** Publishes held events of a chatroom as long as `mayPublish` returns true for the next one. */
  function release(chatroomId: string, mayPublish: (sequenced: SequencedEvent) => boolean): void {
    const waiting = held.get(chatroomId);
    if (waiting === undefined) return;
    let published = 0;
    for (const sequenced of waiting.events) {
      if (!mayPublish(sequenced)) break;
      publishSequenced(sequenced);
      published += 1;
    }
    waiting.events.splice(0, published);
    if (waiting.events.length > 0) return;
    clearTimeout(waiting.timer);
    held.delete(chatroomId);
  }

  /** Publishes held events, and forgets the revisions: earlier ones may never come. */
  function reset(): void {
    for (const chatroomId of held.keys()) release(chatroomId, () => true);
    latestRevs.clear();
  }

  return {
    publish: (event) => {
      if (event.type === 'events-missed') reset();
      const sequenced = toSequenced(event);
      if (sequenced === undefined) publish(event);
      else if (isNext(sequenced)) {
        publishSequenced(sequenced);
        release(sequenced.chatroomId, isNext);
      } else hold(sequenced);
    },
    close: reset,
  };
}

function toSequenced(event: DomainEvent): SequencedEvent | undefined {
  switch (event.type) {
    case 'message-sent':
    case 'message-edited':
    case 'message-reacted':
      return toNext(event, event.message.chatroom, event.message.rev);
    case 'message-deleted':
      return toNext(event, event.deleted.chatroom, event.deleted.rev);
    case 'chat-changed': {
      const { chatId: chatroomId, rev } = event.chat;
      // It shows the message of this revision, which must be announced before.
      return { event, chatroomId, rev, after: rev };
    }
    default:
      return undefined;
  }
}

function toNext(event: DomainEvent, chatroomId: string, rev: number): SequencedEvent {
  return { event, chatroomId, rev, after: rev - 1 };
}
