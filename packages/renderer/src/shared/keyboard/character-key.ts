/** The parts of a keyboard event that decide whether it writes. */
type CharacterKeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'
>;

/** Names of keys that write nothing, such as `Enter` and `F10`. Characters are not ASCII if there are several. */
const NAMED_KEY = /^(?:[A-Z][\dA-Za-z]+)?$/;
/** Names of keys that begin a character: a dead key, and one that an input method handles. */
const BEGINNINGS: ReadonlySet<string> = new Set(['Dead', 'Process']);

/** Returns whether a key press writes or begins a character in a text field. */
export function isCharacterKey(
  press: CharacterKeyPress,
  { isApple }: { isApple: boolean },
): boolean {
  const { key, ctrlKey, metaKey, altKey } = press;
  if (NAMED_KEY.test(key) && !BEGINNINGS.has(key)) return false;
  if (metaKey) return false;
  // Windows also reports AltGr as Ctrl and Alt.
  if (press.getModifierState('AltGraph')) return true;
  // Option writes characters on Apple systems. With Ctrl, it is the key of VoiceOver.
  return !ctrlKey && (!altKey || isApple);
}
