import { useEffect, useEffectEvent, type RefObject } from 'react';
import { isCharacterKey } from '../keyboard/character-key.ts';
import { useSettings } from '../../app/app-context.ts';
import {
  hasOverlay,
  isAppleSystem,
  isReachedByKeys,
  isTextField,
  trackOverlay,
} from '../keyboard/key-context.ts';
import { insertText } from './insert-text.ts';

/** Controls that use the space bar. */
const CONTROLS = 'button, a, input, summary, audio, video, [role]';

/**
 * Takes what the user types or pastes while no other field has the focus, as after a click on a message. The box gets
 * the focus before the browser writes the character, so that dead keys, input methods and undo work.
 * @param onPaste called with what is pasted elsewhere. Returns whether it was used, otherwise its text is inserted.
 */
export function useTypingAnywhere(
  ref: RefObject<HTMLTextAreaElement | null>,
  onPaste: (clipboard: DataTransfer) => boolean,
): void {
  const hasLetterShortcuts = useSettings((state) => state.hasLetterShortcuts);
  const paste = useEffectEvent(onPaste);
  const isUsed = useEffectEvent((event: KeyboardEvent) => isShortcut(event, hasLetterShortcuts));
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const hadOverlay = trackOverlay(signal);
    // On the document, after the handlers of what has the focus and before those of the window.
    document.addEventListener(
      'keydown',
      (event) => {
        const { current: box } = ref;
        if (!box || hadOverlay() || !isCharacterKey(event, { isApple: isAppleSystem() })) return;
        if (takesInput(box, event) && !isUsed(event)) box.focus({ preventScroll: true });
      },
      { signal },
    );
    document.addEventListener(
      'paste',
      (event) => {
        const { current: box } = ref;
        const { clipboardData } = event;
        if (!box || !clipboardData || hasOverlay() || !takesInput(box, event)) return;
        event.preventDefault();
        box.focus({ preventScroll: true });
        const text = clipboardData.getData('text/plain');
        if (!paste(clipboardData) && text !== '') insertText(box, text);
      },
      { signal },
    );
    return () => listening.abort();
  }, [ref]);
}

/**
 * Returns whether the box takes the input of an event: not from other fields, and not from a control beside the screen
 * that the user has reached with the keyboard.
 */
function takesInput(box: HTMLTextAreaElement, event: Event): boolean {
  const { activeElement: focused, body } = document;
  if (event.defaultPrevented || box.readOnly || isTextField(focused)) return false;
  if (!focused || focused === body || box.closest('main')?.contains(focused)) return true;
  // A menu returns the focus only after it has faded out.
  return !focused.matches(':focus-visible') || focused.closest('[data-closed]') !== null;
}

/**
 * Returns whether a character has another use where the focus is: Space presses buttons and scrolls the messages, and `?`
 * shows the shortcuts, among them those of messages.
 */
function isShortcut({ key }: KeyboardEvent, hasLetterShortcuts: boolean): boolean {
  const { activeElement: focused } = document;
  if (key === ' ') return focused?.matches(CONTROLS) === true || isReachedByKeys(focused);
  return key === '?' && hasLetterShortcuts && isReachedByKeys(focused);
}
