import type { FastifyBaseLogger } from 'fastify';
import type { DomainEvent } from '../domain-events.ts';
import type { Cluster } from '../storage/cluster.ts';
import type { Storage } from '../storage/storage.ts';
import { createGatheredTask } from './gathered-task.ts';
import type { PresenceTimes } from './presence-limits.ts';
import { advanceLastSeen } from './presence.repository.ts';

/** Announces which users of this server are online, and stores when they were last seen. */
export interface LocalActivity {
  /** A device of the user began to be used. */
  activate(userId: string): void;
  /** A device of the user is no longer used. */
  deactivate(userId: string): void;
  /** Announces all users again. */
  announceAll(): void;
  /** Announces that this server closes. Resolves once it is stored when its users were last seen. */
  stop(): Promise<void>;
}

interface LocalActivityDeps {
  readonly storage: Pick<Storage, 'write'>;
  readonly cluster: Pick<Cluster, 'broadcast'>;
  readonly log: Pick<FastifyBaseLogger, 'debug'>;
  /** Id of this server. */
  readonly own: string;
  readonly times: PresenceTimes;
  /** Publishes an event in this server. */
  readonly publish: (event: DomainEvent) => void;
}

const MINUTE = 60_000;
/** Maximum number of users per write. */
const BATCH = 500;
/** Maximum time in milliseconds for storing the users of a server that closes. */
const STOP_TIMEOUT = 2_000;

/** Starts without any user. */
export function startLocalActivity(deps: LocalActivityDeps): LocalActivity {
  const { storage, cluster, log, own, times, publish } = deps;
  /** Number of devices in use. */
  const active = new Map<string, number>();
  /** When the last device of users who are still online ceased to be used. */
  const leftAt = new Map<string, number>();
  /** Those for whom the grace has not ended, the earliest first, with its start. */
  const leaving = new Map<string, number>();
  let leavingTimer: ReturnType<typeof setTimeout> | undefined;
  /** Users who were announced to be online, or will be next. */
  const online = new Set<string>();
  let arrived: string[] = [];
  let departed: string[] = [];
  let shouldAnnounceAll = false;
  let isStopped = false;

  function checkLeaving(): void {
    leavingTimer = undefined;
    const now = performance.now();
    for (const [userId, since] of leaving) {
      const rest = since + times.grace - now;
      if (rest > 0) {
        leavingTimer = setTimeout(checkLeaving, Math.max(rest, times.gather));
        return;
      }
      leaving.delete(userId);
      departed.push(userId);
      announcement.request();
    }
  }

  /** Stores when users were last seen, and emits events in the last write. */
  async function store(userIds: readonly string[], events: readonly DomainEvent[]): Promise<void> {
    const now = Date.now();
    const byMinute = new Map<number, string[]>();
    // In the order of their rows, so that the writes of two servers do not wait for each other.
    for (const userId of userIds.toSorted()) {
      const minute = Math.floor((leftAt.get(userId) ?? now) / MINUTE) * MINUTE;
      byMinute.set(minute, [...(byMinute.get(minute) ?? []), userId]);
    }
    const batches = [...byMinute].flatMap(([minute, all]) =>
      Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => ({
        minute,
        users: all.slice(i * BATCH, (i + 1) * BATCH),
      })),
    );
    for (const [i, { minute, users }] of batches.entries()) {
      await storage.write(
        async ({ trx, emit }) => {
          await advanceLastSeen(trx, users, minute);
          if (i === batches.length - 1) events.forEach(emit);
        },
        { isConcurrent: true },
      );
    }
  }

  async function announceDeparted(): Promise<void> {
    const userIds = departed.filter((userId) => !active.has(userId));
    departed = [];
    if (userIds.length === 0) return;
    for (const userId of userIds) online.delete(userId);
    const event: DomainEvent = { type: 'users-offline', server: own, userIds };
    try {
      // Other servers read the stored time when they receive the event.
      await store(userIds, [event]);
    } catch (error) {
      log.debug({ err: error }, 'it could not be stored when users were last seen');
      publish(event);
      cluster.broadcast([event]);
    }
    for (const userId of userIds) if (!active.has(userId)) leftAt.delete(userId);
  }

  const announcement = createGatheredTask(async () => {
    await announceDeparted();
    const event = { type: 'users-online', server: own } as const;
    if (arrived.length > 0) {
      const added: DomainEvent = { ...event, userIds: arrived, isComplete: false };
      arrived = [];
      publish(added);
      if (!shouldAnnounceAll) cluster.broadcast([added]);
    }
    if (!shouldAnnounceAll) return;
    shouldAnnounceAll = false;
    cluster.broadcast([{ ...event, userIds: [...online], isComplete: true }]);
  }, times.gather);

  const storeTimer = setInterval(() => {
    store([...active.keys()], []).catch((error: unknown) => {
      log.debug({ err: error }, 'it could not be stored when users were last seen');
    });
  }, times.store);

  return {
    activate(userId) {
      if (isStopped) return;
      active.set(userId, (active.get(userId) ?? 0) + 1);
      leftAt.delete(userId);
      leaving.delete(userId);
      if (online.has(userId)) return;
      online.add(userId);
      arrived.push(userId);
      announcement.request();
    },
    deactivate(userId) {
      if (isStopped) return;
      const rest = (active.get(userId) ?? 0) - 1;
      if (rest > 0) {
        active.set(userId, rest);
        return;
      }
      active.delete(userId);
      leftAt.set(userId, Date.now());
      leaving.set(userId, performance.now());
      leavingTimer ??= setTimeout(checkLeaving, times.grace);
    },
    announceAll() {
      shouldAnnounceAll = true;
      announcement.request();
    },
    async stop() {
      isStopped = true;
      clearInterval(storeTimer);
      announcement.stop();
      clearTimeout(leavingTimer);
      // Without the database, closing does not wait for it.
      const timeout = new Promise((resolve) => {
        setTimeout(resolve, STOP_TIMEOUT).unref();
      });
      const stored = store([...online], [{ type: 'server-closing', server: own }]);
      await Promise.race([stored.catch(() => undefined), timeout]);
    },
  };
}
