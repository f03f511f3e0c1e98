import { useEffect, useRef, useState, type RefObject } from 'react';
import { useSession } from '../../app/app-context.ts';
import { hasNavigated } from '../../navigation/history-trail.ts';

/**
 * Focuses the element with the returned ref, a heading or first field, when the user navigates to the screen
 * or gets there by logging out.
 * Screen readers then announce it, and Tab continues from there. A newly opened page keeps the browser's
 * default focus.
 */
export function useFocusOnNavigation<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  // Determined on mount only, as the screen itself may add history entries.
  const hasSessionEnded = useSession(({ endReason }) => endReason !== undefined);
  const [isNewlyOpened] = useState(() => !hasNavigated() && !hasSessionEnded);
  useEffect(() => {
    if (!isNewlyOpened) ref.current?.focus({ preventScroll: true });
  }, [isNewlyOpened]);
  return ref;
}
