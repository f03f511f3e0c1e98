import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';
import type { UploadLimits } from './upload-limits.ts';
import type { Uploader } from './upload.service.ts';

/** Seconds after which a rejected user may try again. */
const RETRY_AFTER = 5;

/** Limits the number of simultaneous uploads. */
export interface UploadLimiter {
  /**
   * Runs an upload, which ends early if the signal is aborted: then it has to make room for a network that
   * has fewer. Waits for a while if the network has as many as it may have.
   * @throws {AppError} `rate_limited` if that user has too many uploads in progress, `unavailable`
   * if the network or all together have too many.
   */
  run<T>(uploader: Uploader, upload: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Running {
  readonly userId: string;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** The uploads of a network. */
interface Network {
  /** Number of uploads that may run now. Each passes its place on to one that waits. */
  places: number;
  /** Oldest first. */
  readonly running: Running[];
  /** Start the waiting uploads, oldest first. */
  readonly waiting: (() => void)[];
}

/** Creates a limiter. */
export function createUploadLimiter({
  maxPerUser,
  maxPerNetwork,
  maxWaiting,
  waitMax,
  maxTotal,
}: Omit<UploadLimits, 'minRate'>): UploadLimiter {
  /** Including those that wait. */
  const byUser = new Map<string, number>();
  const networks = new Map<string, Network>();
  let total = 0;

  function networkOf(name: string): Network {
    const network = networks.get(name) ?? { places: 0, running: [], waiting: [] };
    networks.set(name, network);
    return network;
  }

  /** Takes a place in the network, or waits for one. */
  async function takePlace(network: Network): Promise<void> {
    const { waiting } = network;
    if (network.places < maxPerNetwork) {
      network.places += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw unavailable();
    const { promise, resolve } = Promise.withResolvers<'started'>();
    const start = () => resolve('started');
    waiting.push(start);
    const ended = new AbortController();
    const { signal } = ended;
    const timeout = sleep(waitMax, undefined, { signal }).catch(() => undefined);
    const outcome = await Promise.race([promise, timeout]);
    ended.abort();
    if (outcome !== undefined) return;
    waiting.splice(waiting.indexOf(start), 1);
    throw unavailable();
  }

  const isFull = () => total >= maxTotal;

  /** Makes room for an upload of a network by ending one of the network that has the most. */
  async function makeRoom(own: Network): Promise<void> {
    while (isFull()) {
      const [largest] = [...networks.values()].toSorted(
        (a, b) => b.running.length - a.running.length,
      );
      // The own ones include the new one.
      if (largest === undefined || largest.running.length <= own.running.length) {
        throw unavailable();
      }
      const victim = newestOfLargestUser(largest.running);
      victim?.abort.abort(unavailable());
      await victim?.ended;
    }
  }

  async function runInNetwork<T>(
    network: Network,
    userId: string,
    upload: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    await takePlace(network);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const running = { userId, abort, ended };
    network.running.push(running);
    try {
      await makeRoom(network);
      abort.signal.throwIfAborted();
      total += 1;
      try {
        return await upload(abort.signal);
      } finally {
        total -= 1;
      }
    } finally {
      network.running.splice(network.running.indexOf(running), 1);
      end();
      const next = network.waiting.shift();
      if (next === undefined) network.places -= 1;
      else next();
    }
  }

  return {
    async run({ userId, network: name }, upload) {
      const before = byUser.get(userId) ?? 0;
      if (before >= maxPerUser) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER });
      byUser.set(userId, before + 1);
      const network = networkOf(name);
      try {
        return await runInNetwork(network, userId, upload);
      } finally {
        const after = (byUser.get(userId) ?? 1) - 1;
        if (after === 0) byUser.delete(userId);
        else byUser.set(userId, after);
        if (network.places === 0) networks.delete(name);
      }
    },
  };
}

function newestOfLargestUser(running: readonly Running[]): Running | undefined {
  const counts = new Map<string, number>();
  for (const { userId } of running) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return running.findLast(({ userId }) => counts.get(userId) === most);
}

function unavailable(): AppError {
  return new AppError('unavailable', { retryAfter: RETRY_AFTER });
}
