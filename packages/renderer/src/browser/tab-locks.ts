import type { TabLocks } from '@parley/client';
import { createLeaseLocks } from './lease-locks.ts';

/** Creates locks based on Web Locks, or on IndexedDB on pages without HTTPS, where Web Locks are missing. */
export function createTabLocks(): TabLocks {
  const { locks }: { locks?: LockManager } = navigator;
  if (!locks) return createLeaseLocks();
  return {
    run: async (name, task) => locks.request(name, task),
    claim: (name, holdMs) =>
      new Promise((resolve) => {
        void locks.request(name, { ifAvailable: true }, async (lock) => {
          resolve(lock !== null);
          if (lock) await new Promise((release) => setTimeout(release, holdMs));
        });
      }),
  };
}
