import type { TabLocks } from '@parley/client';

/** The browser's locks. On pages without https there are none: each tab then acts as if it were alone. */
export const tabLocks: TabLocks = {
  run: async (name, task) => {
    const { locks }: { locks?: LockManager } = navigator;
    return locks ? locks.request(name, task) : task();
  },
  claim: async (name, holdMs) => {
    const { locks }: { locks?: LockManager } = navigator;
    if (!locks) return true;
    return new Promise((resolve) => {
      void locks.request(name, { ifAvailable: true }, async (lock) => {
        resolve(lock !== null);
        if (lock) await new Promise((release) => setTimeout(release, holdMs));
      });
    });
  },
};
