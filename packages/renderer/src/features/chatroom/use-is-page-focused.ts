import { isPageFocused } from '../../browser/page-focused.ts';
import { useSyncExternalStore } from 'react';

/** Returns whether this page is visible and has the focus. Rerenders when that changes. */
export function useIsPageFocused(): boolean {
  return useSyncExternalStore(subscribe, isPageFocused);
}

function subscribe(onChange: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('visibilitychange', onChange, { signal });
  window.addEventListener('focus', onChange, { signal });
  window.addEventListener('blur', onChange, { signal });
  return () => listening.abort();
}
