/** Runs `task` while no other tab runs one of the same name. Without the browser's locks (no https) it just runs. */
export async function withTabLock<T>(name: string, task: () => Promise<T>): Promise<T> {
  const { locks }: { locks?: LockManager } = navigator;
  if (!locks) return task();
  return locks.request(name, task);
}

/**
 * Whether this tab is the first to claim `name`. The claim is held for `holdMs`, long enough for the
 * other tabs to have asked too.
 */
export function claimForTab(name: string, holdMs: number): Promise<boolean> {
  const { locks }: { locks?: LockManager } = navigator;
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void locks.request(name, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null);
      if (lock) await new Promise((release) => setTimeout(release, holdMs));
    });
  });
}
