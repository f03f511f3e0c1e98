import { AppError } from '../errors/app-error.ts';

/** Seconds after which a user with too many simultaneous uploads may try again. */
const RETRY_AFTER = 5;

/** Limits the number of simultaneous uploads. */
export interface UploadLimiter {
  /**
   * Runs an upload of a user.
   * @throws {AppError} `rate_limited` if that user has too many uploads in progress, `unavailable`
   * if all users together have too many.
   */
  run<T>(userId: string, upload: () => Promise<T>): Promise<T>;
}

/** Creates a limiter for a number of simultaneous uploads per user and in total. */
export function createUploadLimiter(maxPerUser: number, maxTotal: number): UploadLimiter {
  const byUser = new Map<string, number>();
  let total = 0;
  return {
    async run(userId, upload) {
      const before = byUser.get(userId) ?? 0;
      if (before >= maxPerUser) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER });
      if (total >= maxTotal) throw new AppError('unavailable', { retryAfter: RETRY_AFTER });
      byUser.set(userId, before + 1);
      total += 1;
      try {
        return await upload();
      } finally {
        const after = (byUser.get(userId) ?? 1) - 1;
        if (after === 0) byUser.delete(userId);
        else byUser.set(userId, after);
        total -= 1;
      }
    },
  };
}
