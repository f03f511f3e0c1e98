import type { KeyPress } from '../src/shared/keyboard/key-press.ts';

/** Parses a key press with its modifiers, such as `Ctrl Shift k`. Also knows `repeat`. */
export function press(keys: string): KeyPress {
  const parts = keys.split(' ');
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
    repeat: parts.includes('repeat'),
  };
}
