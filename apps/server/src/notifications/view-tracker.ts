import { randomUUID } from 'node:crypto';
import { createBoundedCache } from '../bounded-cache.ts';
import { isWithin } from '../scheduling/is-within.ts';
import type { Context } from '../context.ts';
import type { DomainEvent, UserView } from '../domain-events.ts';

/** What a device reports: whether it is in use, and which chatroom the user has in view. */
export interface DeviceView {
  readonly userId: string;
  /** Undefined if the client does not report it. */
  readonly isActive: boolean | undefined;
  readonly chatroomId: string | null;
}

/** Knows what users have in view, on the devices that are connected to any server on the database. */
export interface ViewTracker {
  /** Records what a connected device reports. `device` identifies the connection. */
  report(device: object, view: DeviceView): void;
  /** Forgets a device that is no longer connected. */
  forget(device: object): void;
  /** Returns whether a device in use has a chatroom in view. */
  isInView(userId: string, chatroomId: string): boolean;
  /**
   * Returns whether a device in use has or had a chatroom in view since a time of the monotonic clock, as far as it is
   * known.
   */
  wasInViewSince(userId: string, chatroomId: string, since: number): boolean;
  /** Returns whether a device of the user is or was in use within a time in milliseconds. */
  wasActive(userId: string, within: number): boolean;
  stop(): void;
}

/** How long changes are gathered for other servers, in milliseconds. */
const GATHER = 100;
/** Milliseconds after which another server that does not report its users again is forgotten. */
const GRACE = 12_000;
/** Maximum milliseconds for which it is known when users who left were active. */
const KNOWN_FOR = 60_000;

/** Number of chatrooms for which it is known when they were last in view. */
const LEFT_VIEWS_MAX = 20_000;

const NOTHING: readonly string[] = [];

/** Starts without any device. */
export function createViewTracker({
  cluster,
  events,
}: Pick<Context, 'cluster' | 'events'>): ViewTracker {
  const own = randomUUID();
  const devices = new Map<object, DeviceView>();
  const byUser = new Map<string, Set<object>>();
  /** Users of each server, without those who have nothing in view and use no device. */
  const servers = new Map<string, Map<string, UserView>>();
  /** When users were last active who are no longer, in the order of that time. */
  const leftAt = new Map<string, number>();
  /** When users no longer had chatrooms in view, by the monotonic clock. */
  const leftViewAt = createBoundedCache<string, number>(LEFT_VIEWS_MAX);
  const doubted = new Map<string, ReturnType<typeof setTimeout>>();
  const changed = new Set<string>();
  let shouldSendAll = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function isActive(userId: string): boolean {
    for (const users of servers.values()) {
      if (users.get(userId)?.isActive === true) return true;
    }
    return false;
  }

  function apply(server: string, users: readonly UserView[], isComplete: boolean): void {
    const before = servers.get(server) ?? new Map<string, UserView>();
    const next = isComplete ? new Map<string, UserView>() : before;
    const affected = new Set(users.map(({ userId }) => userId));
    if (isComplete) for (const userId of before.keys()) affected.add(userId);
    const active = [...affected].filter(isActive);
    recordLeftViews(before, affected);
    servers.set(server, next);
    for (const user of users) {
      if (user.isActive || user.chatroomIds.length > 0) next.set(user.userId, user);
      else next.delete(user.userId);
    }
    for (const userId of active) if (!isActive(userId)) recordLeft(userId);
  }

  /** Records what users had in view until now. It may still be. */
  function recordLeftViews(
    before: ReadonlyMap<string, UserView>,
    userIds: ReadonlySet<string>,
  ): void {
    const now = performance.now();
    for (const userId of userIds) {
      for (const chatroomId of before.get(userId)?.chatroomIds ?? []) {
        leftViewAt.set(`${userId}:${chatroomId}`, now);
      }
    }
  }

  function recordLeft(userId: string): void {
    const now = Date.now();
    leftAt.delete(userId);
    leftAt.set(userId, now);
    for (const [oldest, at] of leftAt) {
      if (isWithin(at, KNOWN_FOR, now)) break;
      leftAt.delete(oldest);
    }
  }

  function discardServer(server: string): void {
    apply(server, [], true);
    servers.delete(server);
  }

  function trust(server: string): void {
    clearTimeout(doubted.get(server));
    doubted.delete(server);
  }

  function ownView(userId: string): UserView {
    const reports = [...(byUser.get(userId) ?? [])].flatMap((device) => devices.get(device) ?? []);
    const rooms = reports.flatMap(({ chatroomId, isActive: inUse }) =>
      chatroomId === null || inUse === false ? [] : [chatroomId],
    );
    return {
      userId,
      isActive: reports.some((report) => report.isActive === true),
      chatroomIds: rooms.length === 0 ? NOTHING : [...new Set(rooms)],
    };
  }

  function update(userId: string): void {
    apply(own, [ownView(userId)], false);
    if (!cluster.isShared) return;
    changed.add(userId);
    timer ??= setTimeout(send, GATHER);
  }

  function send(): void {
    timer = undefined;
    const users = shouldSendAll
      ? [...(servers.get(own)?.values() ?? [])]
      : [...changed].map(ownView);
    const isComplete = shouldSendAll;
    changed.clear();
    shouldSendAll = false;
    cluster.broadcast([{ type: 'views-changed', server: own, users, isComplete }]);
  }

  function sendAll(): void {
    shouldSendAll = true;
    timer ??= setTimeout(send, GATHER);
  }

  function handleEvent(event: DomainEvent): void {
    switch (event.type) {
      case 'views-changed':
        if (event.server === own) return;
        if (event.isComplete) trust(event.server);
        return apply(event.server, event.users, event.isComplete);
      case 'views-requested':
        return event.server === own ? undefined : sendAll();
      case 'events-missed':
        for (const server of servers.keys()) {
          if (server === own || doubted.has(server)) continue;
          const forget = (): void => {
            doubted.delete(server);
            discardServer(server);
          };
          doubted.set(server, setTimeout(forget, GRACE));
        }
        sendAll();
        return cluster.broadcast([{ type: 'views-requested', server: own }]);
      default:
    }
  }

  function isInView(userId: string, chatroomId: string): boolean {
    for (const users of servers.values()) {
      if (users.get(userId)?.chatroomIds.includes(chatroomId) === true) return true;
    }
    return false;
  }

  const unsubscribe = events.subscribe(handleEvent);
  if (cluster.isShared) cluster.broadcast([{ type: 'views-requested', server: own }]);

  return {
    report(device, view) {
      const { userId } = view;
      devices.set(device, view);
      const own = byUser.get(userId) ?? new Set();
      byUser.set(userId, own.add(device));
      update(userId);
    },
    forget(device) {
      const known = devices.get(device);
      if (known === undefined) return;
      devices.delete(device);
      const rest = byUser.get(known.userId);
      rest?.delete(device);
      if (rest?.size === 0) byUser.delete(known.userId);
      update(known.userId);
    },
    isInView,
    wasInViewSince(userId, chatroomId, since) {
      const at = leftViewAt.get(`${userId}:${chatroomId}`) ?? -Infinity;
      return at >= since || isInView(userId, chatroomId);
    },
    wasActive(userId, within) {
      if (isActive(userId)) return true;
      return isWithin(leftAt.get(userId), within, Date.now());
    },
    stop() {
      unsubscribe();
      clearTimeout(timer);
      for (const doubt of doubted.values()) clearTimeout(doubt);
      // The users connect to other servers.
      if (cluster.isShared) {
        cluster.broadcast([{ type: 'views-changed', server: own, users: [], isComplete: true }]);
      }
    },
  };
}
