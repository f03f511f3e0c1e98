/**
 * Returns whether something happened less than `duration` milliseconds ago. A time in the future is not believed:
 * the clock has been put back since, so that it would last longer than its length.
 */
export function isWithin(at: number | undefined, duration: number, now: number): at is number {
  return at !== undefined && at <= now && at > now - duration;
}
