import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartnerPresence, ServerEvents } from '@parley/contract';
import type { Context } from '../context.ts';
import type { DomainEvent } from '../domain-events.ts';
import { createGatheredTask } from './gathered-task.ts';
import { startLocalActivity } from './local-activity.ts';
import { createOnlineUsers } from './online-users.ts';
import { PRESENCE_TIMES, type PresenceTimes } from './presence-limits.ts';
import { countChatrooms, findPresenceRows, type PresenceRow } from './presence.repository.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import { areToldPresence } from '../relationships/relationship.ts';

/** Tells users which of their partners are online, and when the others were last seen. */
export interface PresenceNotifier {
  /** A device of the user wants to know the presence of the partners. */
  follow(userId: string): void;
  /** No device of the user wants to know it any more. */
  unfollow(userId: string): void;
  /** A device of the user began to be used. */
  activate(userId: string): void;
  /** A device of the user is no longer used. */
  deactivate(userId: string): void;
  stop(): Promise<void>;
}

/** The payload of the event `presence`. */
export type PresenceEvent = ServerEvents['presence'];

interface PresenceDeps extends Pick<Context, 'storage' | 'cluster' | 'events' | 'log'> {
  /** Sends an event to those devices of a user that follow the presence of partners. */
  readonly send: (userId: string, event: PresenceEvent) => void;
  readonly times?: PresenceTimes;
}

/** What is to be told because of a user. */
interface Pending {
  /** The user is told about all partners. */
  isFollower: boolean;
  /** The user went online or offline, or began or ceased to share presence. */
  isChanged: boolean;
  /** Chatrooms that the user accepted, blocked or unblocked. */
  readonly chatroomIds: Set<string>;
}

// Times in milliseconds.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Within this time, it is told to the minute when a user was last seen. */
const EXACT_FOR = HOUR;
/** Precision of earlier times. Time zones differ by at least this, so that the day is right. */
const COARSE = 30 * MINUTE;
/** Users who were seen this long ago may be about to return after a restart of the server. */
const RETURNING_WITHIN = 5 * MINUTE;
/** Time before a failed query is repeated. */
const RETRY = 1_000;

/** Maximum number of users per query. */
const USERS_PER_QUERY = 100;
/** Number of chatrooms per query, unless a single user has more. */
const ROOMS_PER_QUERY = 500;
/** Maximum number of partners per packet. */
const ROOMS_PER_PACKET = 500;

/** Creates a notifier. */
export function createPresenceNotifier(deps: PresenceDeps): PresenceNotifier {
  const { storage, cluster, events, log, times = PRESENCE_TIMES } = deps;
  const own = randomUUID();
  /**
   * Users who follow the presence of partners, with the chatrooms where they know it. They are told the
   * end of what they know only, or they could tell a block from a partner who does not share presence.
   */
  const followers = new Map<string, Set<string>>();
  let pending = new Map<string, Pending>();
  let isStopped = false;
  /** Whether the users who were online before this server started have had time to return. */
  let isSettled = false;

  const online = createOnlineUsers({
    own,
    grace: times.grace,
    onChanged: (userIds) => {
      for (const userId of userIds) pend(userId).isChanged = true;
    },
  });
  const { publish } = events;
  const local = startLocalActivity({ storage, cluster, log, own, times, publish });
  // One at a time: a later run has read what is true later.
  const telling = createGatheredTask(tellPending, times.gather);

  function pend(userId: string): Pending {
    let entry = pending.get(userId);
    if (entry === undefined) {
      entry = { isFollower: false, isChanged: false, chatroomIds: new Set() };
      pending.set(userId, entry);
    }
    telling.request();
    return entry;
  }

  async function tellPending(): Promise<void> {
    const taken = [...pending];
    pending = new Map();
    while (taken.length > 0) {
      if (isStopped) return;
      const batch = new Map(taken.splice(0, USERS_PER_QUERY));
      try {
        await tellBatch(batch);
      } catch (error) {
        log.debug({ err: error }, 'partners could not be told who is online');
        for (const [userId, entry] of batch) repeat(userId, entry);
        await sleep(RETRY, undefined, { ref: false });
      }
    }
  }

  /** Tells what is pending of some users, and removes them from the batch. */
  async function tellBatch(batch: Map<string, Pending>): Promise<void> {
    const counts = await storage.read((db) => countChatrooms(db, [...batch.keys()]));
    while (batch.size > 0) {
      const part = new Map<string, Pending>();
      let rooms = 0;
      for (const [userId, entry] of batch) {
        rooms += counts.get(userId) ?? 0;
        if (rooms > ROOMS_PER_QUERY && part.size > 0) break;
        part.set(userId, entry);
      }
      await takeTurn();
      const rows = await storage.read((db) => findPresenceRows(db, [...part.keys()]));
      await takeTurn();
      if (isStopped) return;
      tell(part, rows);
      for (const userId of part.keys()) batch.delete(userId);
    }
  }

  function repeat(userId: string, { chatroomIds, ...entry }: Pending): void {
    const next = pend(userId);
    next.isFollower ||= entry.isFollower;
    next.isChanged ||= entry.isChanged;
    for (const chatroomId of chatroomIds) next.chatroomIds.add(chatroomId);
  }

  function tell(batch: ReadonlyMap<string, Pending>, rows: readonly PresenceRow[]): void {
    const told = new Map<string, PresenceEvent['rooms']>();
    const add = (userId: string, chatroomId: string, presence: PartnerPresence | null): void => {
      const known = followers.get(userId);
      if (known === undefined || (presence === null && !known.delete(chatroomId))) return;
      if (presence !== null) known.add(chatroomId);
      const rooms = told.get(userId) ?? {};
      rooms[chatroomId] = presence;
      told.set(userId, rooms);
    };
    for (const [userId, { isFollower }] of batch) {
      if (isFollower) followers.get(userId)?.clear();
    }
    for (const row of rows) {
      const { user_id: userId, partner_id: partnerId, chatroom_id: chatroomId } = row;
      const entry = batch.get(userId);
      if (entry === undefined) continue;
      const hasConsented = entry.chatroomIds.has(chatroomId);
      if (entry.isFollower || hasConsented) {
        const presence = presenceOf(partnerId, row.partner_last_seen_at);
        if (!areToldPresence(row)) add(userId, chatroomId, null);
        else if (presence !== undefined) add(userId, chatroomId, presence);
      }
      if (entry.isChanged || hasConsented) {
        const presence = presenceOf(userId, row.last_seen_at);
        if (!areToldPresence(row)) add(partnerId, chatroomId, null);
        else if (presence !== undefined) add(partnerId, chatroomId, presence);
      }
    }
    for (const [userId, { isFollower }] of batch) {
      if (isFollower && followers.has(userId)) {
        sendInPackets(userId, told.get(userId) ?? {}, true);
      }
    }
    for (const [userId, rooms] of told) {
      if (batch.get(userId)?.isFollower !== true) sendInPackets(userId, rooms, false);
    }
  }

  /** Returns undefined for users who may be about to return after a restart of the server. */
  function presenceOf(userId: string, lastSeenAt: number | null): PartnerPresence | undefined {
    if (online.has(userId)) return { isOnline: true };
    if (lastSeenAt === null) return { isOnline: false };
    const age = Date.now() - lastSeenAt;
    if (!isSettled && age < RETURNING_WITHIN) return undefined;
    const time = age < EXACT_FOR ? lastSeenAt : Math.floor(lastSeenAt / COARSE) * COARSE;
    return { isOnline: false, lastSeenAt: new Date(time).toISOString() };
  }

  function sendInPackets(userId: string, rooms: PresenceEvent['rooms'], isComplete: boolean): void {
    const entries = Object.entries(rooms);
    for (let i = 0; i === 0 || i < entries.length; i += ROOMS_PER_PACKET) {
      const part = Object.fromEntries(entries.slice(i, i + ROOMS_PER_PACKET));
      deps.send(userId, { rooms: part, isComplete: isComplete && i === 0 });
    }
  }

  function handleEvent(event: DomainEvent): void {
    switch (event.type) {
      case 'presence-requested':
        if (event.server !== own) local.announceAll();
        return;
      case 'events-missed':
        online.doubtOthers();
        local.announceAll();
        return cluster.broadcast([{ type: 'presence-requested', server: own }]);
      case 'settings-changed':
        if (event.settings.sharesPresence === undefined) return;
        Object.assign(pend(event.userId), { isFollower: true, isChanged: true });
        return;
      case 'relationship-changed':
        return void pend(event.userId).chatroomIds.add(event.chatroomId);
      default:
        online.apply(event);
    }
  }

  const unsubscribe = events.subscribe(handleEvent);
  const settleTimer = setTimeout(() => {
    isSettled = true;
    for (const userId of followers.keys()) pend(userId).isFollower = true;
  }, times.grace);
  if (cluster.isShared) cluster.broadcast([{ type: 'presence-requested', server: own }]);

  return {
    follow(userId) {
      followers.set(userId, followers.get(userId) ?? new Set());
      pend(userId).isFollower = true;
    },
    unfollow: (userId) => void followers.delete(userId),
    activate: (userId) => local.activate(userId),
    deactivate: (userId) => local.deactivate(userId),
    async stop() {
      isStopped = true;
      unsubscribe();
      clearTimeout(settleTimer);
      telling.stop();
      online.stop();
      await local.stop();
    },
  };
}
