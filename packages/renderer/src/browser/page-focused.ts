/** Whether the user looks at this page: it is in front and has the focus. */
export function isPageFocused(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}
