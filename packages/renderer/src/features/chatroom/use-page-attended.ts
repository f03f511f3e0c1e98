import { isPageAttended } from '../../browser/page-attended.ts';
import { useSyncExternalStore } from 'react';

/** Whether a person looks at this page, now and whenever that changes. */
export function usePageAttended(): boolean {
  return useSyncExternalStore(subscribe, isPageAttended);
}

function subscribe(onChange: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('visibilitychange', onChange, { signal });
  window.addEventListener('focus', onChange, { signal });
  window.addEventListener('blur', onChange, { signal });
  return () => listening.abort();
}
