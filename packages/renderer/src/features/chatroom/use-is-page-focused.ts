import { isPageFocused } from '../../browser/page-focused.ts';
import { useSyncExternalStore } from 'react';

/** Whether a person looks at this page, now and whenever that changes. */
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
