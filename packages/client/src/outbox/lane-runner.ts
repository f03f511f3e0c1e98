import type { Platform } from '../platform.ts';
import { createBackoff, type Backoff } from '../backoff.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import type { SendOutcome } from './attempts.ts';
import { idOf, isChange, type Mutation } from './mutation.ts';
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
  stop: () => void;
}

interface LaneRunnerDeps<M extends Mutation> {
  outbox: OutboxStore;
  platform: Pick<Platform, 'locks' | 'logFailure'>;
  /** Name of the lock held by the tab that sends. */
  lockName: string;
  /** Returns the next mutation of each lane. */
  getHeads: () => ReadonlyMap<string, M>;
  /**
   * Confirms that the session still belongs to the sender. Rejects if that cannot be confirmed now.
   */
  confirmUser: () => Promise<void>;
  /** Sends a mutation. The store shows the outcome. Never rejects. */
  send: (mutation: M) => Promise<SendOutcome>;
  timing?: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax'> | undefined;
}

/** How long to wait for the storage before relying on memory. Milliseconds. */
const STORAGE_MAX_MS = 1_000;

/** Maximum number of changes that are sent at the same time, as after a long time without a connection. */
const CHANGES_AT_ONCE = 6;

/** Creates a runner. It sends nothing before the first `flush`. Only one tab sends at a time. */
export function createLaneRunner<M extends Mutation>(deps: LaneRunnerDeps<M>): LaneRunner {
  const { outbox, platform, lockName, getHeads, confirmUser, send, timing = DEFAULT_TIMING } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;
  let isRunRequested = false;
  let isFlushRequested = false;
  /** Lanes to flush. */
  const flushRequested = new Set<string>();
  const waitFor = createStorageWait(outbox.loaded);
  const isConfirmed = createConfirmation(confirmUser);
  const lockBackoff = createBackoff(timing.sendRetryMin, timing.sendRetryMax);
  let lockTimer: ReturnType<typeof setTimeout> | undefined;
  /** Backoffs of the lanes whose last attempt failed. */
  const backoffs = new Map<string, Backoff>();
  /** Lanes blocked after a failure, with the timers that resume them. */
  const blocked = new Map<string, ReturnType<typeof setTimeout>>();
  let wake = (): void => undefined;

  async function runLane(lane: string): Promise<void> {
    const findHead = (): M | undefined => getHeads().get(lane);
    for (let head = findHead(); head && !signal.aborted; head = findHead()) {
      const id = idOf(head);
      if (!(await isConfirmed())) {
        block(lane, 0);
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
  function block(lane: string, requested: number): void {
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

  function unblock(lane: string): void {
    clearTimeout(blocked.get(lane));
    blocked.delete(lane);
  }

  function unblockAll(): void {
    clearTimeout(lockTimer);
    for (const lane of blocked.keys()) unblock(lane);
  }

  async function runLanes(): Promise<void> {
    lockBackoff.reset();
    const running = new Map<string, Promise<void>>();
    const sendingChanges = new Set<string>();
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      for (const [lane, head] of getHeads()) {
        if (running.has(lane) || blocked.has(lane)) continue;
        if (isChange(head)) {
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
      await Promise.race([...running.values(), woken]);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    // Stored mutations are sent before new ones.
    await waitFor(outbox.loaded);
    while (isRunRequested && !signal.aborted) {
      isRunRequested = false;
      // Lanes that have failed since the flush are retried immediately, too.
      if (isFlushRequested) unblockAll();
      isFlushRequested = false;
      flushRequested.forEach(unblock);
      flushRequested.clear();
      try {
        await platform.locks.run(lockName, runLanes);
      } catch (error) {
        platform.logFailure('getting the lock of the outbox', error);
        if (!signal.aborted) lockTimer = setTimeout(resume, lockBackoff.next());
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

  return {
    flush: (lane) => {
      if (lane === undefined) {
        unblockAll();
        isFlushRequested = true;
      } else {
        unblock(lane);
        flushRequested.add(lane);
      }
      resume();
    },
    resume,
    stop: () => {
      stopping.abort();
      unblockAll();
      wake();
    },
  };
}

/**
 * Returns a function that waits for a storage read, but no longer than `STORAGE_MAX_MS`. After a
 * timeout, it does not wait again until the stored mutations are loaded.
 */
function createStorageWait(loaded: Promise<void>): (reading: Promise<void>) => Promise<void> {
  let isStorageSlow = false;

  async function watchStorage(): Promise<void> {
    await loaded;
    isStorageSlow = false;
  }
  void watchStorage();

  return async (reading) => {
    if (isStorageSlow) return;
    let giveUpTimer: ReturnType<typeof setTimeout> | undefined;
    const isInTime = await Promise.race([
      reading.then(() => true),
      new Promise<boolean>((resolve) => {
        giveUpTimer = setTimeout(() => resolve(false), STORAGE_MAX_MS);
      }),
    ]);
    clearTimeout(giveUpTimer);
    isStorageSlow = !isInTime;
  };
}

/**
 * Returns a function that resolves to whether the session is the sender's. Concurrent lanes share
 * one request.
 */
function createConfirmation(confirmUser: () => Promise<void>): () => Promise<boolean> {
  let confirming: Promise<boolean> | undefined;
  return () => {
    confirming ??= confirmUser()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        confirming = undefined;
      });
    return confirming;
  };
}
