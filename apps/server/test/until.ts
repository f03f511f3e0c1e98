import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls a function repeatedly until its result is neither undefined nor false, and returns that
 * result.
 */
export async function until<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  timeout = 60_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const result = await condition();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > end) throw new Error('timed out waiting for a condition');
    await sleep(20);
  }
}
