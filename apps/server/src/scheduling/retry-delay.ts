/** Exponential backoff: the first delay and the longest one in milliseconds, and the factor between two. */
interface Backoff {
  readonly first: number;
  readonly factor: number;
  readonly max: number;
}

/** Share by which delays differ, so that not everything is tried again at the same moment. */
const JITTER = 0.1;

/** Returns the delay before the next attempt in milliseconds. */
export function retryDelay({ first, factor, max }: Backoff, attempts: number): number {
  const delay = Math.min(first * factor ** attempts, max);
  return Math.round(delay * (1 - JITTER + Math.random() * 2 * JITTER));
}

/** Returns the longest delay that a backoff can have, in milliseconds. */
export function longestDelay({ max }: Backoff): number {
  return max * (1 + JITTER);
}
