import { useEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';

/** The key that the router gives to the address that the page was opened with. */
const OPENED_KEY = 'default';

/**
 * Moves the focus to the screen's heading or first field (whatever holds the ref) when one arrives
 * from another screen, so that a screen reader says where one is and Tab goes on from there. A page
 * that was just opened keeps the browser's own start.
 */
export function useArrivalFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  const { key } = useLocation();
  // Asked on arrival alone: the address also gets new steps while one stays on the screen.
  const [isOpened] = useState(key === OPENED_KEY);
  useEffect(() => {
    if (!isOpened) ref.current?.focus({ preventScroll: true });
  }, [isOpened]);
  return ref;
}
