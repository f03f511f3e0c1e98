import { vi } from 'vitest';

/** A delay that no timer has on its own. Milliseconds. */
export const HELD = 987_654;

/**
 * Holds the timers with a delay until the returned function ends those that have begun. All others run as usual, also
 * those of Node itself, which outlive a test.
 */
export function holdTimers(delay = HELD): () => void {
  const start = globalThis.setTimeout;
  let held: (() => void)[] = [];
  const replaced = (callback: () => void, ms?: number, ...args: []) => {
    if (ms !== delay) return start(callback, ms, ...args);
    held.push(callback);
    return 0;
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(replaced as typeof setTimeout);
  return () => {
    const callbacks = held;
    held = [];
    for (const callback of callbacks) callback();
  };
}
