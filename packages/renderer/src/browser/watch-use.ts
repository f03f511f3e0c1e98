/** Milliseconds after the latest input for which the page counts as used. */
const USED_FOR = 5 * 60_000;

/** Key presses of an input method show only as `input`. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'input', 'wheel', 'touchmove'] as const;

/**
 * Calls `listener` with whether the page is visible and has had input within the last minutes,
 * immediately and whenever that changes. Returns an unsubscribe function.
 */
export function watchUse(listener: (isInUse: boolean) => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let isInUse: boolean | undefined;
  let inputAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    clearTimeout(timer);
    const rest = inputAt + USED_FOR - performance.now();
    const isNowInUse = document.visibilityState === 'visible' && rest > 0;
    if (isNowInUse) timer = setTimeout(update, rest);
    if (isNowInUse === isInUse) return;
    isInUse = isNowInUse;
    listener(isInUse);
  }

  function handleInput(): void {
    inputAt = performance.now();
    if (isInUse !== true) update();
  }

  for (const name of INPUTS) {
    window.addEventListener(name, handleInput, { signal, passive: true, capture: true });
  }
  document.addEventListener(
    'visibilitychange',
    () => (document.visibilityState === 'visible' ? handleInput() : update()),
    { signal },
  );
  update();
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
