import { useEffect, useRef, useState, type RefObject } from 'react';
import { hasNavigated } from '../../routes/history-trail.ts';

/**
 * Moves the focus to the screen's heading or first field (whatever holds the ref) when one arrives
 * from another screen, so that a screen reader says where one is and Tab goes on from there. A page
 * that was just opened keeps the browser's own start.
 */
export function useFocusOnNavigation<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  // Read on arrival alone: the address also gets new steps while the user stays on the screen.
  const [isOpened] = useState(() => !hasNavigated());
  useEffect(() => {
    if (!isOpened) ref.current?.focus({ preventScroll: true });
  }, [isOpened]);
  return ref;
}
