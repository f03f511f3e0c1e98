/** The parts of a keyboard event that decide what it does. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'
>;

/** Returns whether a modifier key is held. */
export function isModified({
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: Pick<KeyPress, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
