/** Events with which the user scrolls or writes. Key presses of an input method show only as `input`. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'input'] as const;

/** Calls a function when the user scrolls or writes within a target. Returns a function that ends this. */
export function listenToInputs(
  target: EventTarget,
  onInput: (event: Event) => void,
  { capture = false } = {},
): () => void {
  const stop = new AbortController();
  for (const type of INPUTS) {
    target.addEventListener(type, onInput, { signal: stop.signal, passive: true, capture });
  }
  return () => stop.abort();
}
