interface ScrollingListeners {
  /** Called when the user turns the wheel or moves a finger. The element has not moved yet. */
  onStart: (input: 'up' | 'down' | 'finger') => void;
  /** Called when the element has come to rest or the finger is lifted. */
  onEnd: () => void;
}

/**
 * Calls functions when the user begins and ends to scroll an element with a wheel or a finger, which may also swipe
 * something instead. Returns a function that ends this.
 */
export function listenToScrolling(
  element: HTMLElement,
  { onStart, onEnd }: ScrollingListeners,
): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  element.addEventListener(
    'wheel',
    ({ deltaX, deltaY, ctrlKey, shiftKey }) => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const canMove = deltaY < 0 ? scrollTop > 0 : scrollTop + clientHeight < scrollHeight - 1;
      // With Ctrl, it zooms, and with Shift, it scrolls sideways.
      const isVertical = Math.abs(deltaY) > Math.abs(deltaX) && !ctrlKey && !shiftKey;
      if (isVertical && canMove) onStart(deltaY < 0 ? 'up' : 'down');
    },
    options,
  );
  element.addEventListener('touchmove', () => onStart('finger'), options);
  // Safari before 26.2 has no «scrollend».
  const restEvent = 'onscrollend' in window ? 'scrollend' : 'scroll';
  for (const type of ['touchend', 'touchcancel', restEvent]) {
    element.addEventListener(type, () => onEnd(), options);
  }
  return () => stop.abort();
}
