import type { KeyPress } from '../../../shared/keyboard/key-press.ts';

/** What a key does for the search in the open chatroom. */
export type SearchKey = 'open' | 'older' | 'newer' | 'close';

interface SearchKeyContext {
  /** Whether the system is by Apple, where Ctrl+F moves the cursor in text fields. */
  isApple: boolean;
  /** Whether the search is open. Otherwise, keys that continue a search are left to the browser. */
  isOpen: boolean;
}

/** Returns what a key press does for the search, if anything. */
export function searchKeyOf(
  press: KeyPress,
  { isApple, isOpen }: SearchKeyContext,
): SearchKey | undefined {
  const { ctrlKey, metaKey, shiftKey } = press;
  const key = press.key.toLowerCase();
  if (press.altKey) return undefined;
  const isCommand = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (key === 'f' && isCommand && !shiftKey) return press.repeat ? undefined : 'open';
  if (!isOpen) return undefined;
  const isPlain = !ctrlKey && !metaKey;
  if ((key === 'f3' && isPlain) || (key === 'g' && isCommand)) return shiftKey ? 'newer' : 'older';
  return key === 'escape' && isPlain && !shiftKey ? 'close' : undefined;
}
