import { LRUCache } from 'lru-cache';
import { AppError } from '../errors/app-error.ts';

/** Accounts that are remembered; the ones that did not upload for longest are forgotten first. */
const ACCOUNTS_MAX = 20_000;

const MINUTE = 60_000;

interface Bucket {
  /** Bytes that may be uploaded at `at`. */
  left: number;
  at: number;
}

/** Bounds what each account uploads in a minute. */
export interface UploadRate {
  /**
   * Takes an upload's bytes from what its account may still upload.
   * @throws {AppError} `rate_limited`, with the time after which there is enough
   */
  take(userId: string, bytes: number): void;
  /** Gives back what an upload turned out not to have. */
  refund(userId: string, bytes: number): void;
}

/** A bucket for each account that holds `bytesPerMinute` and fills up within a minute. */
export function createUploadRate(
  bytesPerMinute: number,
  now: () => number = () => performance.now(),
): UploadRate {
  const buckets = new LRUCache<string, Bucket>({ max: ACCOUNTS_MAX });

  function current(userId: string): Bucket {
    const at = now();
    const before = buckets.get(userId) ?? { left: bytesPerMinute, at };
    const filled = before.left + ((at - before.at) * bytesPerMinute) / MINUTE;
    return { left: Math.min(bytesPerMinute, filled), at };
  }

  return {
    take(userId, bytes) {
      const { left, at } = current(userId);
      // An upload that is larger than the whole bucket passes once the bucket is full.
      const needed = Math.min(bytes, bytesPerMinute);
      if (left < needed) {
        const wait = ((needed - left) * MINUTE) / bytesPerMinute;
        throw new AppError('rate_limited', { retryAfter: Math.max(1, wait / 1000) });
      }
      buckets.set(userId, { left: left - bytes, at });
    },
    refund(userId, bytes) {
      const { left, at } = current(userId);
      buckets.set(userId, { left: Math.min(bytesPerMinute, left + bytes), at });
    },
  };
}
