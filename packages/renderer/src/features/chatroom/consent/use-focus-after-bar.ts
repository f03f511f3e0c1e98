import { useEffect, useRef, type RefObject } from 'react';
import { useHasKeyboard } from '../use-has-keyboard.ts';

/** The bar below the messages of a room. */
export type ChatroomBar = 'request' | 'undecided' | 'blocked' | 'none';

/**
 * Moves the focus when the bar with the focused button disappears: to the text box, or to the heading if another
 * bar appears, and on touch devices, where the text box would open an on-screen keyboard.
 */
export function useFocusAfterBar(room: RefObject<HTMLElement | null>, bar: ChatroomBar): void {
  const hasKeyboard = useHasKeyboard();
  const lastBar = useRef(bar);
  useEffect(() => {
    const hasDisappeared = lastBar.current !== 'none' && lastBar.current !== bar;
    lastBar.current = bar;
    const hasLostFocus = document.activeElement === document.body;
    if (!hasDisappeared || !hasLostFocus) return;
    const target = bar === 'none' && hasKeyboard ? 'textarea' : 'h1';
    room.current?.querySelector<HTMLElement>(target)?.focus({ preventScroll: true });
  }, [room, bar, hasKeyboard]);
}
