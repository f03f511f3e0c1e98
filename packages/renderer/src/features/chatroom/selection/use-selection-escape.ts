import { useEffect, useEffectEvent } from 'react';
import { trackOverlay } from '../../../shared/keyboard/key-context.ts';

/** Calls a function when Escape is pressed and has no other use, such as to close a dialog. */
export function useSelectionEscape(isActive: boolean, onEscape: () => void): void {
  const end = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    const hadOverlay = trackOverlay(signal);
    // Before the window's handler, which closes the chat.
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || hadOverlay() || event.defaultPrevented) return;
        event.preventDefault();
        end();
      },
      { signal },
    );
    return () => listening.abort();
  }, [isActive]);
}
