/** Dialogs and menus, which have keys of their own. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Returns whether a dialog or a menu is open. */
export function hasOverlay(): boolean {
  return document.querySelector(OVERLAY) !== null;
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
