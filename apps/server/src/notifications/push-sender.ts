import type { Context } from '../context.ts';
import { isWithin } from '../scheduling/is-within.ts';
import { retryDelay } from '../scheduling/retry-delay.ts';
import { createAlarm } from '../jobs/alarm.ts';
import type { WriteContext } from '../storage/storage.ts';
import type { ViewTracker } from './view-tracker.ts';
import { createTopic, type PushDelivery } from './push-delivery.ts';
import { createPushLanes, type LaneUse } from './push-lanes.ts';
import { createPushPlanner, type PlannedMessage, type PushPlan } from './push-planner.ts';
import * as queue from './push-queue.repository.ts';
import type { PushOutcome } from './push-transport.ts';
import {
  ATTEMPTS_MAX,
  CLAIM_DURATION,
  PUSH_RETRIES,
  ROOM_INTERVAL,
  SETTLE_TIME,
} from './push-times.ts';
import { recordShown } from './shown-push.repository.ts';
import { deleteSubscription, recordOutcome } from './subscription.repository.ts';

// Times in milliseconds.
const FAILURE_PAUSE = 5_000;
const MAX_SLEEP = 60 * 60_000;
/** Maximum pause if other servers queue notifications: one may end before it has announced them. */
const MAX_SLEEP_SHARED = 15_000;
/** Time that deliveries in progress may delay the shutdown. */
const CLOSE_GRACE = 3_000;
/** Number of notifications that are read at once. */
const BATCH = 100;

interface PushSenderDeps extends Pick<Context, 'storage' | 'cluster' | 'log' | 'events'> {
  readonly views: ViewTracker;
  readonly delivery: PushDelivery;
}

interface Planned {
  readonly row: queue.DuePush;
  readonly plan: PushPlan;
}

interface Sending {
  readonly row: queue.DuePush;
  readonly message: PlannedMessage;
  readonly free: () => void;
}

/**
 * Sends queued notifications, including those from before a restart, until `signal` is aborted. What
 * decides whether one is sent is read again when it is due.
 *
 * A notification is claimed before it is sent, so that a server that has lost its connection and the
 * next leader do not both send it. It is sent twice only if a server ends after the push service has
 * accepted it and before that is stored; the second one replaces the first one on the device.
 */
export async function sendQueuedPushes(
  { storage, cluster, log, events, views, delivery }: PushSenderDeps,
  signal: AbortSignal,
): Promise<void> {
  const alarm = createAlarm();
  const canceled = new AbortController();
  const lanes = createPushLanes();
  const planner = createPushPlanner(views);
  const inFlight = new Set<Promise<void>>();
  // After a start, devices have not reported yet what they have in view.
  const startedAt = Date.now();
  /** When the current pause ends. Infinite while there is none, as it is not known yet. */
  let wakeAt = Infinity;

  /** Starts what is due. Returns the milliseconds until the next one is. */
  async function processQueue(): Promise<number> {
    const now = Date.now();
    if (isWithin(startedAt, SETTLE_TIME, now)) return startedAt + SETTLE_TIME - now;
    const planned = await storage.read(async (db) => {
      const all: Planned[] = [];
      for (const row of await queue.findDuePushes(db, now, BATCH)) {
        // Planning takes several queries, which a queue for a slow service would repeat.
        const use = laneUseOf(row);
        const plan: PushPlan = lanes.isFree(use, now)
          ? await planner.plan(db, row, now)
          : { action: 'wait', until: lanes.retryAt(use.service, now) };
        all.push({ row, plan });
      }
      return all;
    });
    if (planned.length > 0) {
      await start(planned, now);
      return 0;
    }
    const maxSleep = cluster.isShared ? MAX_SLEEP_SHARED : MAX_SLEEP;
    const next = await storage.read(queue.findNextDue);
    return next === undefined ? maxSleep : Math.min(Math.max(next - now, 1), maxSleep);
  }

  async function start(planned: readonly Planned[], now: number): Promise<void> {
    const discarded: queue.DuePush[] = [];
    const waiting = new Map<number, string[]>();
    const sending: Sending[] = [];
    const wait = (id: string, until: number) =>
      waiting.set(until, [...(waiting.get(until) ?? []), id]);
    for (const { row, plan } of planned) {
      if (plan.action === 'discard') discarded.push(row);
      else if (plan.action === 'wait') wait(row.id, plan.until);
      else {
        // Others of this batch count, too.
        const allowedAt = planner.allowedAt(row, now);
        const use = laneUseOf(row);
        const free = allowedAt > now ? undefined : lanes.reserve(use, now);
        if (free === undefined) {
          wait(row.id, allowedAt > now ? allowedAt : lanes.retryAt(use.service, now));
          continue;
        }
        planner.recordSending(row, now);
        sending.push({ row, message: plan.message, free });
      }
    }
    let claimed: ReadonlySet<string> = new Set();
    try {
      claimed = await storage.write(
        async ({ trx }) => {
          for (const row of discarded) await queue.finishPush(trx, row, now);
          for (const [until, ids] of waiting) await queue.postponePushes(trx, ids, until);
          const ids = sending.map(({ row }) => row.id);
          return queue.claimPushes(trx, ids, now, now + CLAIM_DURATION);
        },
        { isConcurrent: true },
      );
    } finally {
      for (const each of sending) {
        if (claimed.has(each.row.id)) send(each);
        else each.free();
      }
    }
  }

  function send(each: Sending): void {
    const delivered = deliver(each)
      .catch((error: unknown) => {
        // It is sent again when its claim ends.
        log.error({ err: error }, 'a notification could not be sent');
      })
      .finally(() => {
        each.free();
        inFlight.delete(delivered);
      });
    inFlight.add(delivered);
  }

  async function deliver({ row, message }: Sending): Promise<void> {
    const { endpoint, p256dh, auth } = row;
    const topic = createTopic(row.session_id, row.chatroom_id, row.kind);
    const { json, isUrgent } = message;
    const sent = { endpoint, keys: { p256dh, auth }, json, topic, isUrgent };
    const startedAt = performance.now();
    const outcome = await delivery.deliver(sent, canceled.signal);
    const duration = performance.now() - startedAt;
    const hasResponded = outcome.result !== 'unreachable';
    if (!canceled.signal.aborted) {
      lanes.record(laneUseOf(row), { hasResponded, duration }, Date.now());
    }
    if (outcome.result !== 'accepted') {
      const service = new URL(endpoint).hostname;
      log.debug({ service, reason: outcome.reason }, 'a notification was not accepted');
    }
    const dueAt = await storage.write((write) => record(write, row, message, outcome), {
      isConcurrent: true,
    });
    if (dueAt !== undefined && dueAt < wakeAt) alarm.ring();
  }

  /** Records the outcome of a delivery. Returns when the notification is due again, if it is. */
  async function record(
    { trx }: WriteContext,
    row: queue.DuePush,
    message: PlannedMessage,
    { result, isTemporary, retryAfter = 0 }: PushOutcome,
  ): Promise<number | undefined> {
    const now = Date.now();
    if (canceled.signal.aborted && result === 'unreachable') {
      await queue.postponePushes(trx, [row.id], now);
      return undefined;
    }
    if (result === 'ended') {
      await deleteSubscription(trx, row.session_id, row.endpoint);
      return undefined;
    }
    const isAccepted = result === 'accepted';
    // The browser may have subscribed again, or the session has ended.
    if (!(await recordOutcome(trx, row.endpoint, isAccepted, now))) return undefined;
    if (isTemporary && row.attempts + 1 < ATTEMPTS_MAX) {
      const dueAt = now + Math.max(retryAfter, retryDelay(PUSH_RETRIES, row.attempts));
      await queue.retryPush(trx, row.id, dueAt);
      return dueAt;
    }
    if (isAccepted) {
      const { seq, read } = message;
      const shown = seq === undefined ? undefined : { chatroomId: row.chatroom_id, seq };
      await recordShown(trx, row.session_id, shown, read);
      planner.recordShown(row, message);
    }
    const dueAt = now + ROOM_INTERVAL;
    return (await queue.finishPush(trx, row, dueAt)) ? dueAt : undefined;
  }

  const unsubscribe = events.subscribe(({ type }) => {
    if (type === 'push-queued') alarm.ring();
  });
  while (!signal.aborted) {
    const pause = await processQueue().catch((error: unknown) => {
      log.error({ err: error }, 'the queue of notifications could not be processed');
      return FAILURE_PAUSE;
    });
    wakeAt = Date.now() + pause;
    if (pause > 0) await alarm.wait(pause, signal);
    wakeAt = Infinity;
  }
  unsubscribe();
  const grace = setTimeout(() => canceled.abort(), CLOSE_GRACE);
  while (inFlight.size > 0) await Promise.all(inFlight);
  clearTimeout(grace);
}

function laneUseOf(row: queue.DuePush): LaneUse {
  return {
    service: new URL(row.endpoint).origin,
    userId: row.user_id,
    isProven: row.succeeded_at !== null && row.failing_since === null,
  };
}
