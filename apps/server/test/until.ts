import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is neither undefined nor false, and returns it. */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  patience = 20_000,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error('what was waited for did not happen');
    await sleep(20);
  }
}
