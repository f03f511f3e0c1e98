import { AppError } from '../errors/app-error.ts';
import { createOverloadError } from '../errors/overload-error.ts';
import type { UploadLimits } from './upload-limits.ts';
import type { Uploader } from './upload.service.ts';

/** Seconds after which a rejected user may try again. */
const RETRY_AFTER = 5;

/** The place of an upload that runs. */
export interface UploadPlace {
  /** Aborted with an {@link AppError} `unavailable` if the upload must give way to another one. */
  readonly signal: AbortSignal;
  /** From now on, the upload does not have to give way. Call it once it was received. */
  readonly keep: () => void;
}

/** Limits the number of simultaneous uploads. */
export interface UploadLimiter {
  /**
   * Runs an upload. Waits if its network or all together have as many as they may have. If none ends for a
   * while, the newest one of the network that has most gives way, or within a full network that of the user
   * who has most, unless that is at most one more.
   * @param closed aborted when the client no longer waits
   * @throws {AppError} `rate_limited` if that user has too many uploads in progress, `unavailable` after
   * waiting in vain
   */
  run<T>(
    uploader: Uploader,
    closed: AbortSignal,
    upload: (place: UploadPlace) => Promise<T>,
  ): Promise<T>;
}

interface Upload extends Uploader {
  readonly abort: AbortController;
  isKept: boolean;
  /** Called when a waiting upload gets a place. */
  start: () => void;
}

/** Creates a limiter. */
export function createUploadLimiter({
  maxPerUser,
  maxPerNetwork,
  maxWaiting,
  patience,
  waitMax,
  maxTotal,
  reserved,
}: Omit<UploadLimits, 'minRate'>): UploadLimiter {
  /** Oldest first. */
  const running = new Set<Upload>();
  const waiting = new Set<Upload>();

  function hasPlace({ network }: Uploader): boolean {
    const own = countBy(running, 'network', network);
    return running.size < maxTotal + (own === 0 ? reserved : 0) && own < maxPerNetwork;
  }

  /** Ends an upload of those who have more than the owner of a new one. */
  function displaceFor(upload: Upload): void {
    const { network } = upload;
    const own = [...running].filter((each) => each.network === network);
    const isNetworkFull = own.length >= maxPerNetwork;
    const victims = isNetworkFull ? own : largestGroup(running, 'network');
    if (!isNetworkFull && countRunning(victims) < own.length + 2) return;
    const ofUser = largestGroup(victims, 'userId');
    const ownOfUser = countBy(running, 'userId', upload.userId);
    if (isNetworkFull && countRunning(ofUser) < ownOfUser + 2) return;
    const victim = ofUser.findLast((each) => !each.isKept && !each.abort.signal.aborted);
    victim?.abort.abort(createOverloadError());
  }

  async function waitForPlace(upload: Upload, closed: AbortSignal): Promise<void> {
    closed.throwIfAborted();
    if (countBy(waiting, 'network', upload.network) >= maxWaiting) throw createOverloadError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    upload.start = resolve;
    waiting.add(upload);
    const timers = [
      // Until then, others may finish by themselves.
      setTimeout(() => displaceFor(upload), patience),
      setTimeout(() => reject(createOverloadError()), waitMax),
    ];
    const leave = () => reject(closed.reason);
    closed.addEventListener('abort', leave);
    try {
      await promise;
    } finally {
      waiting.delete(upload);
      for (const timer of timers) clearTimeout(timer);
      closed.removeEventListener('abort', leave);
    }
  }

  /** Starts waiting uploads: first those of networks, then of users with the fewest that run, then the oldest. */
  function startNext(): void {
    for (;;) {
      const [next] = [...waiting]
        .filter(hasPlace)
        .toSorted(
          (a, b) =>
            countBy(running, 'network', a.network) - countBy(running, 'network', b.network) ||
            countBy(running, 'userId', a.userId) - countBy(running, 'userId', b.userId),
        );
      if (next === undefined) return;
      waiting.delete(next);
      running.add(next);
      next.start();
    }
  }

  return {
    async run({ userId, network }, closed, job) {
      const own = countBy(running, 'userId', userId) + countBy(waiting, 'userId', userId);
      if (own >= maxPerUser) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER });
      const abort = new AbortController();
      const upload = { userId, network, abort, isKept: false, start: () => undefined };
      if (hasPlace(upload)) running.add(upload);
      else await waitForPlace(upload, closed);
      try {
        const keep = () => {
          upload.isKept = true;
        };
        return await job({ signal: abort.signal, keep });
      } finally {
        running.delete(upload);
        startNext();
      }
    },
  };
}

type Key = 'userId' | 'network';

function countBy(uploads: Iterable<Upload>, key: Key, value: string): number {
  let count = 0;
  for (const upload of uploads) if (upload[key] === value) count += 1;
  return count;
}

/** Counts the uploads that do not already give way. */
function countRunning(uploads: readonly Upload[]): number {
  return uploads.filter(({ abort }) => !abort.signal.aborted).length;
}

/** Returns the uploads of the user or network that has most, in their order. */
function largestGroup(uploads: Iterable<Upload>, key: Key): Upload[] {
  const groups = Map.groupBy(uploads, (upload) => upload[key]);
  let largest: Upload[] = [];
  for (const group of groups.values()) {
    if (countRunning(group) > countRunning(largest)) largest = group;
  }
  return largest;
}
