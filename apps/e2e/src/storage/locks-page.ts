import { createLeaseLocks, type LeaseTimes } from '@parley/renderer/browser/lease-locks';

/** What the tests call in a page. */
export interface LocksLab {
  /** Counts up `rounds` times under the lock, by reading and writing in two steps. */
  count: (rounds: number) => Promise<void>;
  /** Resolves once the lock is held, for as long as the page lives. */
  hold: (times?: LeaseTimes) => Promise<void>;
  claim: (holdMs: number) => Promise<boolean>;
  /** Resolves to what `task` in the lock does. */
  run: (task: () => Promise<unknown>) => Promise<unknown>;
  /** Returns when the lock's lease ends, if there is one. Milliseconds since 1970. */
  until: () => Promise<number | undefined>;
}

const NAME = 'test';
const locks = createLeaseLocks();

const lab: LocksLab = {
  count: async (rounds) => {
    const counts = Array.from({ length: rounds }, () =>
      locks.run(NAME, async () => {
        const before = Number(localStorage.getItem('count') ?? 0);
        await new Promise((resolve) => setTimeout(resolve, 5));
        localStorage.setItem('count', String(before + 1));
      }),
    );
    await Promise.all(counts);
  },
  hold: (times) =>
    new Promise((resolve) => {
      void createLeaseLocks(times).run(NAME, () => {
        resolve();
        return new Promise(() => undefined);
      });
    }),
  claim: (holdMs) => locks.claim(NAME, holdMs),
  run: (task) => locks.run(NAME, task),
  until: () =>
    new Promise((resolve) => {
      const opening = indexedDB.open('parley-locks');
      opening.addEventListener('success', () => {
        const opened = opening.result;
        const reading = opened.transaction('leases').objectStore('leases').get(NAME);
        reading.addEventListener('success', () => {
          opened.close();
          resolve((reading.result as { until: number } | undefined)?.until);
        });
      });
    }),
};
Object.assign(window, { lab });
