import { createLeaseLocks, type LeaseTimes } from '@parley/renderer/browser/lease-locks';

/** The functions that the tests call in the page. */
export interface LocksTestApi {
  /** Increments a counter `rounds` times under the lock, by reading and writing in two steps. */
  count: (rounds: number) => Promise<void>;
  /** Resolves once the lock is held. It is held until the page is gone. */
  hold: (times?: LeaseTimes) => Promise<void>;
  claim: (holdMs: number) => Promise<boolean>;
  /** Runs `task` under the lock and resolves to its result. */
  run: (task: () => Promise<unknown>) => Promise<unknown>;
  /** Resolves to the end of the lock's lease, if there is one. Milliseconds since 1970. */
  leaseEnd: () => Promise<number | undefined>;
}

const NAME = 'test';
const locks = createLeaseLocks();

const testApi: LocksTestApi = {
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
  leaseEnd: () =>
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
Object.assign(window, { testApi });
