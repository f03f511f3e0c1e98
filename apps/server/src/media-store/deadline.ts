/** Aborts what takes too long. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Allows for more milliseconds. */
  extend(duration: number): void;
  /** Must be called at the end. */
  clear(): void;
}

/** Creates a deadline that is over after some milliseconds. */
export function createDeadline(duration: number): Deadline {
  const controller = new AbortController();
  let endsAt = performance.now() + duration;
  let timer = startTimer();

  function startTimer(): NodeJS.Timeout {
    return setTimeout(() => controller.abort(), endsAt - performance.now());
  }

  return {
    signal: controller.signal,
    extend(more) {
      endsAt += more;
      clearTimeout(timer);
      timer = startTimer();
    },
    clear: () => clearTimeout(timer),
  };
}
