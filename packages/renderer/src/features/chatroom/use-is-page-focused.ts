import { useSyncExternalStore } from 'react';
import { isPageFocused, watchPageFocus } from '../../browser/page-focused.ts';

/** Returns whether this page is visible and has the focus. Rerenders when that changes. */
export function useIsPageFocused(): boolean {
  return useSyncExternalStore(watchPageFocus, isPageFocused);
}
