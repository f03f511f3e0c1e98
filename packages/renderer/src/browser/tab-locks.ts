import type { TabLocks } from '@parley/client';
import { createLeaseLocks } from './lease-locks.ts';

/** Creates the browser's own locks; on pages without https, which have none, locks in IndexedDB. */
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
