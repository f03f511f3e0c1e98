import { createBoundedCache } from '../bounded-cache.ts';
import { AppError } from '../errors/app-error.ts';

/** Maximum number of remembered accounts; the least recently used are forgotten first. */
const ACCOUNTS_MAX = 20_000;

const MINUTE = 60_000;

interface Bucket {
  /** Bytes available at the time `at`. */
  left: number;
  at: number;
}

/** Limits the bytes that each account uploads per minute. */
export interface UploadRate {
  /**
   * Consumes the bytes of an upload.
   * @throws {AppError} `rate_limited` if the account must wait
   */
  take(userId: string, bytes: number): void;
  /** Refunds bytes that were consumed but not uploaded. */
  refund(userId: string, bytes: number): void;
}

/**
 * Creates the limiter: a token bucket per account, which holds `bytesPerMinute` and refills within
 * a minute.
 */
export function createUploadRate(
  bytesPerMinute: number,
  now: () => number = () => performance.now(),
): UploadRate {
  const buckets = createBoundedCache<string, Bucket>(ACCOUNTS_MAX);

  function current(userId: string): Bucket {
    const at = now();
    const before = buckets.get(userId) ?? { left: bytesPerMinute, at };
    const filled = before.left + ((at - before.at) * bytesPerMinute) / MINUTE;
    return { left: Math.min(bytesPerMinute, filled), at };
  }

  return {
    take(userId, bytes) {
      const { left, at } = current(userId);
      // An upload larger than the bucket is allowed once the bucket is full.
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
