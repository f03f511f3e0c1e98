/** Milliseconds between two checks. */
const INTERVAL = 1_000;
/** Milliseconds by which the clock may be corrected between two checks without notice. */
const TOLERANCE = 10_000;

/**
 * Calls a function with the milliseconds whenever the clock of this machine is put back while the process runs.
 * Returns a function that ends it.
 */
export function watchClock(onPutBack: (by: number) => void): () => void {
  // The monotonic clock advances steadily, except while the machine sleeps: then, the difference grows.
  const readOffset = () => Date.now() - performance.now();
  let offset = readOffset();
  const timer = setInterval(() => {
    const before = offset;
    offset = readOffset();
    const by = Math.round(before - offset);
    if (by > TOLERANCE) onPutBack(by);
  }, INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}
