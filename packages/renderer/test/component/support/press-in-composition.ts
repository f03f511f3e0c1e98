/**
 * Ends the composition of an input method in the focused element with a key press as Safari does: `compositionend`
 * comes first, so the key press is no part of the composition anymore, except for its code.
 */
export function endCompositionInSafari(key: string, modifiers: KeyboardEventInit = {}): void {
  const target = document.activeElement;
  target?.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  target?.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  pressInInputMethod(key, modifiers);
}

/** Presses a key that the input method takes during a composition, as other browsers do. */
export function pressInComposition(key: string, modifiers: KeyboardEventInit = {}): void {
  pressInInputMethod(key, { ...modifiers, isComposing: true });
}

function pressInInputMethod(key: string, options: KeyboardEventInit): void {
  const init = { key, keyCode: 229, bubbles: true, cancelable: true, ...options };
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
}
