/** Returns whether this page is visible and has the focus. */
export function isPageFocused(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

/** Calls `listener` when that may have changed. Returns an unsubscribe function. */
export function watchPageFocus(listener: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('visibilitychange', listener, { signal });
  window.addEventListener('focus', listener, { signal });
  window.addEventListener('blur', listener, { signal });
  // A page that is closed or kept for going back is not always hidden first.
  window.addEventListener('pagehide', listener, { signal });
  window.addEventListener('pageshow', listener, { signal });
  return () => listening.abort();
}
