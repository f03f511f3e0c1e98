import { AppError } from '../errors/app-error.ts';

/** Seconds after which a person who uploads too much at once may try again. */
const RETRY_AFTER = 5;

/** Lets a bounded number of uploads be under way at once. */
export interface UploadGate {
  /**
   * Runs an upload of a person.
   * @throws {AppError} `rate_limited` if that person has too many under way, `unavailable` if all
   * people together have.
   */
  pass<T>(userId: string, upload: () => Promise<T>): Promise<T>;
}

/** Makes a gate for so many uploads at once, of one person and in all. */
export function createUploadGate(maxOfOne: number, maxInAll: number): UploadGate {
  const ofOne = new Map<string, number>();
  let inAll = 0;
  return {
    async pass(userId, upload) {
      const before = ofOne.get(userId) ?? 0;
      if (before >= maxOfOne) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER });
      if (inAll >= maxInAll) throw new AppError('unavailable', { retryAfter: RETRY_AFTER });
      ofOne.set(userId, before + 1);
      inAll += 1;
      try {
        return await upload();
      } finally {
        const after = (ofOne.get(userId) ?? 1) - 1;
        if (after === 0) ofOne.delete(userId);
        else ofOne.set(userId, after);
        inAll -= 1;
      }
    },
  };
}
