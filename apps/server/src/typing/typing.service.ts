import { SIGNAL_INTERVAL } from '@parley/contract/schemas';
import { createBoundedCache } from '../bounded-cache.ts';
import type { Context } from '../context.ts';
import type { DomainEvent } from '../domain-events.ts';
import { areToldTyping } from '../relationships/relationship.ts';
import { findRelationship } from '../storage/relationships.ts';

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
/** How long signals are gathered for other processes. Each notification takes a lock of the database. */
const GATHER = 100;
/** Maximum number of chatrooms for which it is known whom to tell. */
const KNOWN_MAX = 20_000;

interface Typist {
  /** The user to tell; null for none, undefined if not known. */
  addressee: string | null | undefined;
  isLookingUp: boolean;
  /** When the partner was told last. */
  toldAt: number;
}

/** Creates a notifier. */
export function createTypingNotifier({
  storage,
  cluster,
  events,
  log,
}: Pick<Context, 'storage' | 'cluster' | 'events' | 'log'>): TypingNotifier {
  /** The members of chatrooms who type. */
  const chatrooms = createBoundedCache<string, Map<string, Typist>>(KNOWN_MAX, KNOWN_FOR);
  let gathered: DomainEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'relationship-changed') forget(chatrooms.get(event.chatroomId));
    else if (event.type === 'settings-changed') {
      if (event.settings.sharesTyping !== undefined) forgetUser(event.userId);
    } else if (event.type === 'events-missed') for (const each of chatrooms.values()) forget(each);
  });

  /** Discards whom to tell, but keeps when they were told last. */
  function forget(members: Map<string, Typist> | undefined): void {
    if (members === undefined) return;
    for (const [userId, { toldAt }] of members) {
      members.set(userId, { addressee: undefined, isLookingUp: false, toldAt });
    }
  }

  function forgetUser(userId: string): void {
    for (const members of chatrooms.values()) {
      if (members.has(userId)) forget(members);
      else for (const each of members.values()) if (each.addressee === userId) forget(members);
    }
  }

  function tell(typist: Typist, chatroomId: string): void {
    const { addressee } = typist;
    const now = performance.now();
    if (typeof addressee !== 'string' || now - typist.toldAt < SIGNAL_INTERVAL) return;
    typist.toldAt = now;
    const event: DomainEvent = { type: 'typing', userId: addressee, chatroomId };
    events.publish(event);
    if (!cluster.isShared) return;
    gathered.push(event);
    timer ??= setTimeout(sendGathered, GATHER);
  }

  function sendGathered(): void {
    timer = undefined;
    cluster.broadcast(gathered);
    gathered = [];
  }

  async function lookUp(typist: Typist, userId: string, chatroomId: string): Promise<void> {
    typist.isLookingUp = true;
    try {
      const found = await storage.read((db) => findRelationship(db, chatroomId, userId));
      typist.addressee = found !== undefined && areToldTyping(found) ? found.partner_id : null;
      // What was found may be outdated by now.
      if (chatrooms.get(chatroomId)?.get(userId) === typist) tell(typist, chatroomId);
    } catch (error) {
      log.debug({ err: error }, 'a partner could not be told who is typing');
    } finally {
      typist.isLookingUp = false;
    }
  }

  function typistOf(userId: string, chatroomId: string): Typist {
    const members = chatrooms.get(chatroomId) ?? new Map<string, Typist>();
    const typist = members.get(userId);
    if (typist !== undefined) return typist;
    const added = { addressee: undefined, isLookingUp: false, toldAt: -Infinity };
    members.set(userId, added);
    chatrooms.set(chatroomId, members);
    return added;
  }

  return {
    notify(userId, chatroomId) {
      const typist = typistOf(userId, chatroomId);
      if (typist.addressee !== undefined) tell(typist, chatroomId);
      else if (!typist.isLookingUp) void lookUp(typist, userId, chatroomId);
    },
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
