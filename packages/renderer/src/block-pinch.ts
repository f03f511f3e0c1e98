function block(event: Event): void {
  event.preventDefault();
}

/**
 * Blocks pinching on touch screens and trackpads everywhere in the document. The browser's own zoom
 * (menu, keyboard, Ctrl and a mouse wheel) keeps working.
 */
export function blockPinch(target: Document): void {
  // Safari's own gesture events, trackpads included.
  for (const name of ['gesturestart', 'gesturechange', 'gestureend']) {
    target.addEventListener(name, block, { passive: false });
  }
  target.addEventListener(
    'touchmove',
    (event) => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
  target.addEventListener(
    'wheel',
    (event) => {
      if (isTrackpadPinch(event)) event.preventDefault();
    },
    { passive: false },
  );
}

/** Browsers report a trackpad's pinch as Ctrl and a wheel that moves by fractions; a mouse moves it by whole notches. */
export function isTrackpadPinch(
  event: Pick<WheelEvent, 'ctrlKey' | 'deltaMode' | 'deltaY'>,
): boolean {
  return event.ctrlKey && event.deltaMode === 0 && !Number.isInteger(event.deltaY);
}
