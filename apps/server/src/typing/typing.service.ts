import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { DomainEvent } from '../domain-events.ts';
import { findTypingAddressee } from './typing.repository.ts';

/** Tells partners that a user is typing. */
export interface TypingNotifier {
  /**
   * Tells the partner in a chatroom that the user is typing, unless the partner may not know. The user
   * cannot notice whether the partner is told.
   */
  notify(userId: string, chatroomId: string): void;
  stop(): void;
}

// Times in milliseconds.
/** How long it is known whom to tell. Changes in between end it early. */
const KNOWN_FOR = 5_000;
/** Signals of one user in one chatroom that follow faster are ignored. Clients send one every 3 s. */
const PAUSE_MIN = 2_000;
/** How long signals are gathered for other processes. Each notification takes a lock of the database. */
const GATHER = 100;
/** Maximum number of chatrooms and users for whom it is known whom to tell. */
const KNOWN_MAX = 20_000;

interface Typist {
  /** The user to tell; undefined while it is looked up, null for none. */
  addressee: string | null | undefined;
  /** When the partner was told last. */
  toldAt: number;
}

/** Creates a notifier. */
export function createTypingNotifier({
  storage,
  events,
  log,
}: Pick<Context, 'storage' | 'events' | 'log'>): TypingNotifier {
  const typists = new LRUCache<string, Typist>({ max: KNOWN_MAX, ttl: KNOWN_FOR });
  let gathered: DomainEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const unsubscribe = events.subscribe(({ type }) => {
    if (type === 'chat-status' || type === 'settings-changed' || type === 'events-missed') {
      typists.clear();
    }
  });

  function tell(typist: Typist, chatroomId: string): void {
    const { addressee } = typist;
    const now = performance.now();
    if (typeof addressee !== 'string' || now - typist.toldAt < PAUSE_MIN) return;
    typist.toldAt = now;
    const event: DomainEvent = { type: 'typing', userId: addressee, chatroomId };
    events.publish(event);
    if (!storage.isShared) return;
    gathered.push(event);
    timer ??= setTimeout(sendGathered, GATHER);
  }

  function sendGathered(): void {
    timer = undefined;
    storage.broadcast(gathered);
    gathered = [];
  }

  async function lookUp(typist: Typist, userId: string, chatroomId: string): Promise<void> {
    try {
      const found = await storage.read((db) => findTypingAddressee(db, chatroomId, userId));
      typist.addressee = found ?? null;
      tell(typist, chatroomId);
    } catch (error) {
      log.debug({ err: error }, 'a partner could not be told who is typing');
    }
  }

  return {
    notify(userId, chatroomId) {
      const key = `${userId}:${chatroomId}`;
      const known = typists.get(key);
      if (known !== undefined) return tell(known, chatroomId);
      const typist: Typist = { addressee: undefined, toldAt: -Infinity };
      typists.set(key, typist);
      void lookUp(typist, userId, chatroomId);
    },
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
