import { createBoundedCache } from '../bounded-cache.ts';
import { isWithin } from '../scheduling/is-within.ts';

/** Limits how many messages are sent at the same time, so that slow push services delay no others. */
export interface PushLanes {
  /** Returns whether there is a lane. */
  isFree(use: LaneUse, now: number): boolean;
  /** Reserves a lane. Returns a function that frees it, or undefined if there is none. */
  reserve(use: LaneUse, now: number): (() => void) | undefined;
  /** Returns when there may be a lane for a service to which none is free. */
  retryAt(service: string, now: number): number;
  /** Records how a service has handled a user's message. */
  record(use: Pick<LaneUse, 'service' | 'userId'>, handled: Handled, now: number): void;
}

/** What a lane is needed for. */
export interface LaneUse {
  /** Origin of the push service. */
  readonly service: string;
  readonly userId: string;
  /** Whether the service has accepted a message for this subscription and none failed since. */
  readonly isProven: boolean;
}

/** How a service has handled a message. */
interface Handled {
  /** Whether it has responded, with any status. */
  readonly hasResponded: boolean;
  /** Milliseconds that the message occupied a lane. */
  readonly duration: number;
}

/** When a service last responded fast. */
interface FastService {
  readonly userId: string;
  readonly at: number;
  /** When it last did so to any other user. */
  readonly otherAt: number;
}

/** A service that was slow or did not respond. Others are not known. */
interface SlowService {
  /** When it first was, since it responded fast. */
  readonly since: number;
  /** Number of times in a row that it did not respond. Messages that were sent together count once. */
  readonly failures: number;
  readonly failedAt: number;
  /** No message is sent until then. */
  readonly pausedUntil: number;
}

const TOTAL_MAX = 32;
const SERVICE_MAX = 16;
const SLOW_SERVICE_MAX = 4;
const USER_MAX = 4;
/**
 * For subscriptions that are new or fail, and for slow services. Users choose the URLs of their
 * subscriptions, so these may be slow on purpose.
 */
const UNPROVEN_MAX = 8;
/**
 * For all users whose messages to any service were slow recently. Hosts cost nothing, so a few accounts with ever new
 * ones could otherwise occupy the lanes above, for which the first messages to honest users' new devices would wait.
 */
const SLOW_USERS_MAX = 4;
/** Few, so that no user occupies all lanes of the slow ones. */
const SLOW_USER_MAX = 1;
/** Milliseconds for which a user's messages count as slow. They do even if others are fast in between. */
const SLOW_USER_FOR = 10 * 60_000;

/**
 * Milliseconds for which a service counts as good after a fast response to another user. If it becomes slow then, that
 * is not due to the users, whose messages do not count as slow until it has recovered.
 */
const GOOD_SERVICE_FOR = 10 * 60_000;

/** Milliseconds after which a response is slow. */
const SLOW_AFTER = 3_000;
// Milliseconds that messages wait for a lane. It doubles with each failure of the service.
const PAUSE_MIN = 1_000;
const PAUSE_MAX = 60_000;
/** Number of slow services, of fast ones and of slow users that are remembered. */
const REMEMBERED_MAX = 2_000;

/** Creates free lanes. */
export function createPushLanes(): PushLanes {
  const used = new Map<string, number>();
  const slow = createBoundedCache<string, SlowService>(REMEMBERED_MAX);
  const fast = createBoundedCache<string, FastService>(REMEMBERED_MAX);
  /** When messages of users were slow. */
  const slowUsers = createBoundedCache<string, number>(REMEMBERED_MAX);

  function limitsOf(
    { service, userId, isProven }: LaneUse,
    now: number,
  ): (readonly [string, number])[] {
    const isSlow = slow.has(service);
    const isSlowUser = isWithin(slowUsers.get(userId), SLOW_USER_FOR, now);
    return [
      ['total', TOTAL_MAX],
      [`service ${service}`, isSlow ? SLOW_SERVICE_MAX : SERVICE_MAX],
      [`user ${userId}`, isSlowUser ? SLOW_USER_MAX : USER_MAX],
      ...(isProven && !isSlow ? [] : [['unproven', UNPROVEN_MAX] as const]),
      ...(isSlowUser ? [['slow users', SLOW_USERS_MAX] as const] : []),
    ];
  }

  /** Returns when a service last responded fast to any other user. */
  function fastToOthersAt(service: string, userId: string): number {
    const last = fast.get(service);
    if (last === undefined) return -Infinity;
    return last.userId === userId ? last.otherAt : last.at;
  }

  function isFree(use: LaneUse, now: number): boolean {
    const pause = (slow.get(use.service)?.pausedUntil ?? 0) - now;
    // Longer ones began before the clock was put back.
    if (pause > 0 && pause <= PAUSE_MAX) return false;
    return limitsOf(use, now).every(([key, max]) => (used.get(key) ?? 0) < max);
  }

  return {
    isFree,
    reserve(use, now) {
      if (!isFree(use, now)) return undefined;
      const limits = limitsOf(use, now);
      for (const [key] of limits) used.set(key, (used.get(key) ?? 0) + 1);
      return () => {
        for (const [key] of limits) {
          const rest = (used.get(key) ?? 0) - 1;
          if (rest > 0) used.set(key, rest);
          else used.delete(key);
        }
      };
    },
    retryAt(service, now) {
      const { failures = 0, pausedUntil = 0 } = slow.get(service) ?? {};
      return Math.min(Math.max(pausedUntil, now + pauseAfter(failures)), now + PAUSE_MAX);
    },
    record({ service, userId }, { hasResponded, duration }, now) {
      if (hasResponded && duration < SLOW_AFTER) {
        fast.set(service, { userId, at: now, otherAt: fastToOthersAt(service, userId) });
        slow.delete(service);
        return;
      }
      const fresh = { since: now, failures: 0, failedAt: -Infinity, pausedUntil: 0 };
      const before = slow.get(service) ?? fresh;
      if (fastToOthersAt(service, userId) < before.since - GOOD_SERVICE_FOR) {
        slowUsers.set(userId, now);
      }
      if (hasResponded) {
        slow.set(service, { ...before, failures: 0, pausedUntil: 0 });
        return;
      }
      const isCounted = now - duration < before.failedAt;
      const failures = before.failures + (isCounted ? 0 : 1);
      const pausedUntil = now + pauseAfter(failures);
      slow.set(service, { since: before.since, failures, failedAt: now, pausedUntil });
    },
  };
}

function pauseAfter(failures: number): number {
  return Math.min(PAUSE_MIN * 2 ** failures, PAUSE_MAX);
}
