import { createBackoff, type Backoff } from '../backoff.ts';
import type { SendOutcome } from './attempts.ts';
import { idOf, isChange, type Mutation } from './mutation.ts';
import type { OutboxContext } from './outbox-context.ts';
import type { OutboxStore } from './outbox-store.ts';

/**
 * A sender of mutations. It sends those of a lane in order, one at a time, and different lanes in parallel. After a
 * failure, each lane waits for its own time.
 */
export interface LaneRunner {
  /** Sends waiting mutations of all lanes, or the given one, now instead of after the rest of the backoff. */
  flush: (lane?: string) => void;
  /** Sends waiting mutations of the lanes that do not wait after a failure. */
  resume: () => void;
}

interface LaneRunnerOptions<M extends Mutation> {
  outbox: OutboxStore;
  /** Name of the lock held by the tab that sends. */
  lockName: string;
  /** Returns the mutations of each lane. Those without a lane wait for others. */
  getLanes: () => ReadonlyMap<string | undefined, readonly M[]>;
  /** Confirms that the session still belongs to the sender. Rejects if that cannot be confirmed now. */
  confirmUser: () => Promise<void>;
  /** Sends a mutation. The store shows the outcome. Never rejects. */
  send: (mutation: M) => Promise<SendOutcome>;
}

/** How long to wait for the storage before relying on memory. Milliseconds. */
const STORAGE_MAX_MS = 1_000;

/** Maximum number of changes that are sent at the same time, as after a long time without a connection. */
const CHANGES_AT_ONCE = 6;

/** What is blocked after a failure to get the lock. */
const LOCK = Symbol('lock');

/** Creates a runner. It sends nothing before the first `flush`. Only one tab sends at a time. */
export function createLaneRunner<M extends Mutation>(
  { platform, signal, timing }: Pick<OutboxContext, 'platform' | 'signal' | 'timing'>,
  { outbox, lockName, getLanes, confirmUser, send }: LaneRunnerOptions<M>,
): LaneRunner {
  let isRunning = false;
  let isRunRequested = false;
  /** Lanes to flush, or undefined for all. */
  const flushRequested = new Set<string | undefined>();
  /** Backoffs of the lanes whose last attempt failed, and of the lock. */
  const backoffs = new Map<string | symbol, Backoff>();
  /** Lanes blocked after a failure, with the timers that resume them. */
  const blocked = new Map<string | symbol, ReturnType<typeof setTimeout>>();
  let wake = (): void => undefined;
  let confirming: Promise<boolean> | undefined;
  let isStorageSlow = false;

  /** Returns whether the session is the sender's. Concurrent lanes share one request. */
  function isConfirmed(): Promise<boolean> {
    confirming ??= confirmUser()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        confirming = undefined;
      });
    return confirming;
  }

  /**
   * Waits for a storage read, but no longer than `STORAGE_MAX_MS`. After a timeout, it does not wait again
   * until the stored mutations are loaded.
   */
  async function waitFor(reading: Promise<void>): Promise<void> {
    if (isStorageSlow) return;
    const giveUp = Promise.withResolvers<boolean>();
    const timer = setTimeout(giveUp.resolve, STORAGE_MAX_MS, true);
    isStorageSlow = await Promise.race([reading.then(() => false), giveUp.promise]);
    clearTimeout(timer);
  }

  async function watchStorage(): Promise<void> {
    await outbox.loaded;
    isStorageSlow = false;
  }
  void watchStorage();

  async function runLane(lane: string): Promise<void> {
    const findHead = (): M | undefined => getLanes().get(lane)?.[0];
    for (let head = findHead(); head && !signal.aborted; head = findHead()) {
      const id = idOf(head);
      if (!(await isConfirmed())) {
        block(lane);
        return;
      }
      // Another tab may have sent or discarded it before this one acquired the lock.
      await waitFor(outbox.refresh(id));
      const current = findHead();
      if (signal.aborted || !current || idOf(current) !== id) continue;
      const outcome = await send(current);
      if (outcome !== 'next') {
        block(lane, outcome.retryAfter);
        return;
      }
      backoffs.delete(lane);
    }
  }

  /** Blocks a lane for at least the requested milliseconds. The other lanes continue. */
  function block(lane: string | symbol, requested = 0): void {
    if (signal.aborted) return;
    const backoff = backoffs.get(lane) ?? createBackoff(timing.sendRetryMin, timing.sendRetryMax);
    backoffs.set(lane, backoff);
    const timer = setTimeout(
      () => {
        blocked.delete(lane);
        resume();
      },
      Math.max(requested, backoff.next()),
    );
    blocked.set(lane, timer);
  }

  /** Unblocks a lane, or all if undefined. */
  function unblock(only?: string): void {
    for (const lane of only === undefined ? blocked.keys() : [only]) {
      clearTimeout(blocked.get(lane));
      blocked.delete(lane);
    }
  }

  async function runLanes(): Promise<void> {
    backoffs.delete(LOCK);
    const running = new Map<string, Promise<void>>();
    const sendingChanges = new Set<string>();
    while (!signal.aborted) {
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      for (const [lane, [head]] of getLanes()) {
        if (lane === undefined || running.has(lane) || blocked.has(lane)) continue;
        if (head && isChange(head)) {
          if (sendingChanges.size >= CHANGES_AT_ONCE) continue;
          sendingChanges.add(lane);
        }
        const done = runLane(lane).finally(() => {
          running.delete(lane);
          sendingChanges.delete(lane);
        });
        running.set(lane, done);
      }
      if (running.size === 0) break;
      await Promise.race([...running.values(), woken.promise]);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    // Stored mutations are sent before new ones.
    await waitFor(outbox.loaded);
    while (isRunRequested && !signal.aborted) {
      isRunRequested = false;
      // Lanes that have failed since the flush are retried immediately, too.
      for (const lane of flushRequested) unblock(lane);
      flushRequested.clear();
      try {
        await platform.locks.run(lockName, runLanes);
      } catch (error) {
        platform.logFailure('getting the lock of the outbox', error);
        block(LOCK);
      }
    }
    isRunning = false;
  }

  /** Sends the waiting mutations of all lanes that are not blocked. */
  function resume(): void {
    if (signal.aborted) return;
    isRunRequested = true;
    wake();
    if (!isRunning) void run();
  }

  signal.addEventListener('abort', () => {
    unblock();
    wake();
  });

  return {
    flush: (lane) => {
      unblock(lane);
      flushRequested.add(lane);
      resume();
    },
    resume,
  };
}
