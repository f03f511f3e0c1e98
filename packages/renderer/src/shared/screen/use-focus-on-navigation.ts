import { useEffect, useRef, useState, type RefObject } from 'react';
import { hasNavigated } from '../../navigation/history-trail.ts';

/**
 * Focuses the element with the returned ref, a heading or first field, when the user navigates to the screen.
 * Screen readers then announce it, and Tab continues from there. A newly opened page keeps the browser's
 * default focus.
 */
export function useFocusOnNavigation<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  // Determined on mount only, as the screen itself may add history entries.
  const [isNewlyOpened] = useState(() => !hasNavigated());
  useEffect(() => {
    if (!isNewlyOpened) ref.current?.focus({ preventScroll: true });
  }, [isNewlyOpened]);
  return ref;
}
