/**
 * Returns a function that reuses what `read` returns for some milliseconds, and reads it again after a
 * failure.
 */
export function reuseFor<T>(lifetime: number, read: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined;
  let startedAt = -Infinity;
  return () => {
    const now = performance.now();
    if (latest !== undefined && now - startedAt < lifetime) return latest;
    startedAt = now;
    const reading = read();
    latest = reading;
    reading.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading;
  };
}
