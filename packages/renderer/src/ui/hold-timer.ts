/** Milliseconds. */
const SLICE = 100;
const SLICES = 4;

/**
 * Calls `onHeld` after 400 ms, unless the returned function is called before. Waits in slices, between which a page that
 * was busy learns that a short press has ended already.
 */
export function startHoldTimer(onHeld: () => void): () => void {
  let left = SLICES;
  let timer: ReturnType<typeof setTimeout>;
  const waitForSlice = (): void => {
    timer = setTimeout(() => {
      left -= 1;
      if (left === 0) onHeld();
      else waitForSlice();
    }, SLICE);
  };
  waitForSlice();
  return () => clearTimeout(timer);
}
