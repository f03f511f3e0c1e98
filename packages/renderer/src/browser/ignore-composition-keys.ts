/** The code of key presses that an input method handles: https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode */
const PROCESSED_BY_INPUT_METHOD = 229;

/**
 * Keeps key presses of input methods in text fields from all key handlers of the page, including those of libraries. An
 * input method uses Enter, Escape and arrow keys to choose and write characters. Its text still arrives with `input`
 * events. Must be called before other listeners for key presses are added to the window.
 */
export function ignoreCompositionKeys(target: Window): void {
  target.addEventListener('keydown', stopCompositionKey, { capture: true });
}

function stopCompositionKey(event: KeyboardEvent): void {
  // Outside text fields, the key may be the first one of a text, for which the text box takes the focus.
  const { target } = event;
  if (target instanceof Element && !target.matches('input, textarea, [contenteditable]')) return;
  // Safari sends the key that ends a composition after `compositionend`, when `isComposing` is false already:
  // https://bugs.webkit.org/show_bug.cgi?id=165004
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else identifies it
  if (event.isComposing || event.keyCode === PROCESSED_BY_INPUT_METHOD) {
    event.stopImmediatePropagation();
  }
}
