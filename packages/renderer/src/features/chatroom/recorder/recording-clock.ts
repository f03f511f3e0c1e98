/** How much later than the latest data the clock may be, in milliseconds. Data arrives every second. */
const AHEAD_MAX = 2_000;

/** A stopwatch for what was recorded, in milliseconds. */
export interface RecordingClock {
  elapsed: () => number;
  /** Notes that data has arrived, so that all time until now was recorded. */
  mark: () => void;
  pause: () => void;
  /** Pauses at the latest mark, as nothing was recorded since. */
  pauseAtMark: () => void;
  resume: () => void;
}

/** Starts a stopwatch, which stands still while no data arrives. */
export function startRecordingClock(): RecordingClock {
  let before = 0;
  let marked = 0;
  let since: number | undefined = performance.now();
  const elapsed = (): number =>
    since === undefined ? before : Math.min(before + performance.now() - since, marked + AHEAD_MAX);
  const pauseAt = (time: number): void => {
    before = time;
    marked = time;
    since = undefined;
  };
  return {
    elapsed,
    mark: () => {
      if (since === undefined) return;
      const now = performance.now();
      before += now - since;
      since = now;
      marked = before;
    },
    pause: () => pauseAt(elapsed()),
    pauseAtMark: () => pauseAt(marked),
    resume: () => {
      since ??= performance.now();
    },
  };
}
