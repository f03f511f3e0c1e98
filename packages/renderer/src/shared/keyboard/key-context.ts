/** Dialogs and menus, which have keys of their own. */
const OVERLAY = ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([data-closed])';

/** Returns whether a dialog or a menu is open, and not only fading out. */
export function hasOverlay(): boolean {
  return document.querySelector(OVERLAY) !== null;
}

/** The attribute of a list while the user moves between its items with the keyboard. */
export const KEYBOARD_REACH = 'data-by-keyboard';

/** Returns whether the user has reached a message with the keyboard, so that characters may be shortcuts there. */
export function isReachedByKeys(element: Element | null): boolean {
  return element?.matches(`[${KEYBOARD_REACH}] article`) === true;
}

/** Returns whether an element takes text. */
export function isTextField(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  const others = ['button', 'checkbox', 'radio', 'range', 'submit', 'reset', 'file', 'color'];
  return element instanceof HTMLInputElement && !others.includes(element.type);
}

/** Returns whether the system is by Apple. */
export function isAppleSystem(): boolean {
  return /Mac OS X|Macintosh|iPhone|iPad/.test(navigator.userAgent);
}

/**
 * Returns a function that tells whether a dialog or menu was open when the last key was pressed, also after the key has
 * closed it. Handlers of the same target that are added later can use it, too.
 */
export function trackOverlay(signal: AbortSignal): () => boolean {
  let hadOverlay = false;
  const handleKeyDown = (): void => {
    hadOverlay = hasOverlay();
  };
  window.addEventListener('keydown', handleKeyDown, { signal, capture: true });
  return () => hadOverlay;
}
