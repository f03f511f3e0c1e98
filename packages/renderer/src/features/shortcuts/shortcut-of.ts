import type { KeyPress } from '../../shared/keyboard/key-press.ts';

/** What a key does on any signed-in screen. */
export type Shortcut = 'switch' | 'previous' | 'next' | 'shortcuts' | 'help' | 'close';

/** Where a key was pressed. */
export interface KeyContext {
  /** Whether the system is by Apple, where text fields use Ctrl+K and Option with arrow keys. */
  isApple: boolean;
  /** Whether the focus is in a text field. */
  isTyping: boolean;
}

const MOVES: Readonly<Record<string, Shortcut>> = { ArrowUp: 'previous', ArrowDown: 'next' };

/**
 * Returns the shortcut of a key press, if any. It never takes keys that write or edit text: Ctrl+K and Option+Arrow
 * are left to text fields on Apple systems, and `?` to all text fields.
 */
export function shortcutOf(
  press: KeyPress,
  { isApple, isTyping }: KeyContext,
): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (isHeld && !altKey && !press.repeat) {
    if (key.toLowerCase() === 'k' && !shiftKey) return 'switch';
    // Shift is a part of `/` on some keyboards.
    if (key === '/') return 'shortcuts';
  }
  if (ctrlKey || metaKey) return undefined;
  if (altKey) return shiftKey || (isApple && isTyping) ? undefined : MOVES[key];
  // Shift is a part of `?` on most keyboards.
  if (key === '?') return isTyping || press.repeat ? undefined : 'help';
  return key === 'Escape' && !shiftKey && !isTyping ? 'close' : undefined;
}
