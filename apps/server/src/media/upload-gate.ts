import { AppError } from '../errors/app-error.ts';

/** Seconds after which a user with too many simultaneous uploads may try again. */
const RETRY_AFTER = 5;

/** Bounds the number of simultaneous uploads. */
export interface UploadGate {
  /**
   * Runs an upload of a user.
   * @throws {AppError} `rate_limited` if that user has too many in progress, `unavailable` if all users
   * together have.
   */
  pass<T>(userId: string, upload: () => Promise<T>): Promise<T>;
}

/** Creates a gate for a number of simultaneous uploads per user and in total. */
export function createUploadGate(maxPerUser: number, maxTotal: number): UploadGate {
  const byUser = new Map<string, number>();
  let total = 0;
  return {
    async pass(userId, upload) {
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
