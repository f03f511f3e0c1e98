/** Returns whether this page is visible and has the focus. */
export function isPageFocused(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}
