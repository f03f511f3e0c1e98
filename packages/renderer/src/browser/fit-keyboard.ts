/** The least height that an on-screen keyboard has, in pixels. Smaller differences are due to the browser's bars. */
const KEYBOARD_MIN = 100;

/**
 * Keeps the page above the on-screen keyboard where it covers the page, as on iOS. Elsewhere, the browser shrinks the
 * page itself because of `interactive-widget` in index.html. Sets `--window-height` and `data-keyboard`, which
 * ui/tokens.css describes.
 */
export function fitKeyboard({ documentElement: root }: Document): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  /** The height of the window before the keyboard opened, for browsers that shrink the page. */
  let fullHeight = window.innerHeight;
  let width = window.innerWidth;

  const update = (): void => {
    // The user has zoomed in with the browser's own controls.
    if (viewport.scale > 1.01) return;
    const covered = window.innerHeight - viewport.height;
    const isCovered = covered >= KEYBOARD_MIN;
    if (width !== window.innerWidth || window.innerHeight > fullHeight) {
      fullHeight = window.innerHeight;
      ({ innerWidth: width } = window);
    }
    const isShrunk = fullHeight - window.innerHeight >= KEYBOARD_MIN && isTyping();
    root.toggleAttribute('data-keyboard', isCovered || isShrunk);
    if (!isCovered) {
      root.style.removeProperty('--window-height');
      return;
    }
    root.style.setProperty('--window-height', `${viewport.height}px`);
    // iOS scrolls the page under the keyboard, although the focused field is visible now. Pages that are longer than
    // the window keep the position that shows the field.
    if (root.scrollHeight <= window.innerHeight + 1) window.scrollTo(0, 0);
  };
  viewport.addEventListener('resize', update);
  viewport.addEventListener('scroll', update);
  document.addEventListener('focusout', update);
}

/** Returns whether a text field has the focus. */
function isTyping(): boolean {
  const { activeElement } = document;
  return activeElement?.matches('input, textarea, [contenteditable]') === true;
}
