function block(event: Event): void {
  event.preventDefault();
}

/**
 * Blocks pinch zooming on touch screens and trackpads in the whole document. The browser's own zoom
 * (menu, keyboard, Ctrl and mouse wheel) still works.
 */
export function blockPinch(target: Document): void {
  // Safari's proprietary gesture events, which it also fires for trackpads.
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

/** Minimum pixels per notch of a mouse wheel. A trackpad pinch usually moves in smaller steps. */
const NOTCH = 50;

// Browsers report a trackpad pinch as a wheel event with `ctrlKey` although Ctrl is not pressed, so other events
// track whether it is. The deltas are less reliable, as some trackpads send integers like a mouse, and mice
// send fractions to a zoomed page.
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
      // The page receives no key events while another window has the focus, so the size of the step decides.
      const isNotch = event.deltaMode !== 0 || Math.abs(event.deltaY) >= NOTCH;
      if (target.hasFocus() || !isNotch) event.preventDefault();
    },
    { passive: false },
  );
}
