/** The delay before a retry. It doubles with each consecutive failure, up to a maximum. */
export interface Backoff {
  /** Returns the current delay in milliseconds. */
  current: () => number;
  /** Returns the current delay in milliseconds and doubles it for the next failure. */
  next: () => number;
  /** Starts again with the shortest delay, after a success. */
  reset: () => void;
}

/**
 * Creates a backoff.
 * @param min the first delay, in milliseconds
 * @param max the longest delay, in milliseconds
 */
export function createBackoff(min: number, max: number): Backoff {
  let delay = min;
  return {
    current: () => delay,
    next: () => {
      const now = delay;
      delay = Math.min(delay * 2, max);
      return now;
    },
    reset: () => {
      delay = min;
    },
  };
}
