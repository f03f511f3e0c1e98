import { onTestFinished } from 'vitest';

/**
 * Holds back what the page is told of the sizes of elements, as on a device that is slow to lay them out. Returns a
 * function that tells it.
 */
export function holdSizes(): () => void {
  const { ResizeObserver: RealObserver } = window;
  let held: (() => void)[] | undefined = [];
  window.ResizeObserver = class extends RealObserver {
    constructor(callback: ResizeObserverCallback) {
      super((entries, observer) => {
        if (held) held.push(() => callback(entries, observer));
        else callback(entries, observer);
      });
    }
  };
  const release = (): void => {
    window.ResizeObserver = RealObserver;
    const calls = held ?? [];
    held = undefined;
    for (const call of calls) call();
  };
  onTestFinished(release);
  return release;
}
