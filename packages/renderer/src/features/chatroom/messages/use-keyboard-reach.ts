import { useEffect, type RefObject } from 'react';
import { isTextField, KEYBOARD_REACH } from '../../../shared/keyboard/key-context.ts';

/** Keys that move the focus to a message. */
const MOVING_KEYS: ReadonlySet<string> = new Set(['Tab', 'ArrowDown', 'ArrowUp']);

/**
 * Marks the list from when a key moves the focus to a message until a pointer is used or the focus goes to a text field of
 * the chatroom. A menu or a dialog in between, which returns the focus to the message, changes nothing.
 */
export function useKeyboardReach(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: list } = frame;
    const room = list?.closest<HTMLElement>('[data-room]');
    if (!list || !room) return undefined;
    const listening = new AbortController();
    const options = { signal: listening.signal, capture: true };
    let isMoving = false;
    const handleKeyDown = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): void => {
      isMoving = MOVING_KEYS.has(key) && !altKey && !ctrlKey && !metaKey;
    };
    const handlePointerDown = (): void => {
      isMoving = false;
      list.removeAttribute(KEYBOARD_REACH);
    };
    const handleFocus = ({ target }: Event): void => {
      if (!(target instanceof Element)) return;
      if (isTextField(target)) list.removeAttribute(KEYBOARD_REACH);
      else if (isMoving && target.matches('article')) list.setAttribute(KEYBOARD_REACH, '');
    };
    window.addEventListener('keydown', handleKeyDown, options);
    window.addEventListener('pointerdown', handlePointerDown, options);
    room.addEventListener('focusin', handleFocus, options);
    return () => listening.abort();
  }, [frame]);
}
