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
  blockTrackpadPinch(target);
}

/** Pixels that a notch of a mouse wheel scrolls at least; a trackpad's pinch moves in smaller steps. */
const NOTCH = 50;

// Browsers report a trackpad's pinch as a wheel with Ctrl that nobody presses. Its deltas do not tell
// it apart: some trackpads send whole numbers, and a zoomed page gets fractions from a mouse, too.
function blockTrackpadPinch(target: Document): void {
  let isControlHeld = false;
  const trackControlKey = ({ ctrlKey }: KeyboardEvent | PointerEvent): void => {
    isControlHeld = ctrlKey;
  };
  for (const name of ['keydown', 'keyup', 'pointermove'] as const) {
    target.addEventListener(name, trackControlKey, { capture: true, passive: true });
  }
  target.defaultView?.addEventListener('blur', () => {
    isControlHeld = false;
  });
  target.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey || isControlHeld) return;
      // The keys that are pressed over another window are not heard here.
      const isNotch = event.deltaMode !== 0 || Math.abs(event.deltaY) >= NOTCH;
      if (target.hasFocus() || !isNotch) event.preventDefault();
    },
    { passive: false },
  );
}
