/** Number of connections that are opened at the same time. */
const CONCURRENCY = 50;

/** Calls a function with each item, with a fixed number of calls at the same time. */
export async function inBatches<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < items.length; i += CONCURRENCY) {
    await Promise.all(items.slice(i, i + CONCURRENCY).map(run));
  }
}
