/** How long a page may be hidden before its connection may have died unnoticed. Milliseconds. */
const HIDDEN_MAX = 60_000;
/** The same on phones and tablets, which cut the network of hidden pages. Milliseconds. */
const HIDDEN_MAX_MOBILE = 5_000;
/** Interval of the clock that detects sleep of a visible page, and so the longest time until it does. Milliseconds. */
const TICK = 500;
/** Delay of a tick that means that the device was asleep. Timers of visible pages may be late by a second. Milliseconds. */
const ASLEEP_MIN = 8_000;

/**
 * Calls the listener when the page becomes visible again, and when the device slept or the browser froze the page or
 * took it out of its cache. It `wasAway` if its connection may have died unnoticed.
 * Returns a function that stops it.
 */
export function watchResume(listener: (wasAway: boolean) => void): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  const hiddenMax = matchMedia('(pointer: coarse)').matches ? HIDDEN_MAX_MOBILE : HIDDEN_MAX;
  let hiddenAt: number | undefined = document.visibilityState === 'hidden' ? Date.now() : undefined;
  let tickedAt = Date.now();
  // Both kinds of events may report the same wake-up.
  let isReported = false;

  const resume = (): void => {
    hiddenAt = undefined;
    tickedAt = Date.now();
    if (isReported) return;
    isReported = true;
    setTimeout(() => {
      isReported = false;
    }, 500);
    listener(true);
  };
  const handleVisibility = (): void => {
    if (document.visibilityState === 'hidden') {
      hiddenAt ??= Date.now();
      return;
    }
    const isOverdue = hiddenAt !== undefined && Date.now() - hiddenAt >= hiddenMax;
    hiddenAt = undefined;
    tickedAt = Date.now();
    if (isOverdue) resume();
    else if (!isReported) listener(false);
  };
  document.addEventListener('visibilitychange', handleVisibility, { signal });
  document.addEventListener('resume', resume, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && resume(), { signal });
  const timer = setInterval(() => {
    const late = Date.now() - tickedAt - TICK;
    tickedAt = Date.now();
    // Browsers slow down the timers of hidden pages.
    if (late >= ASLEEP_MIN && document.visibilityState === 'visible') resume();
  }, TICK);
  return () => {
    watching.abort();
    clearInterval(timer);
  };
}
