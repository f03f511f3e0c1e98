import { useEffect, useEffectEvent } from 'react';
import { isAppleSystem, trackOverlay } from '../../../shared/keyboard/key-context.ts';
import { searchKeyOf, type SearchKey } from './search-key-of.ts';

/** The attribute of the search field, in which the keys that open the search are left to the browser. */
const FIELD = '[data-room-search]';

/** Handles the keys of the search in the open chatroom. */
export function useSearchKeys(isOpen: boolean, onKey: (key: SearchKey) => void): void {
  const find = useEffectEvent((event: KeyboardEvent): SearchKey | undefined =>
    searchKeyOf(event, { isApple: isAppleSystem(), isOpen }),
  );
  const run = useEffectEvent((event: KeyboardEvent, key: SearchKey): void => {
    event.preventDefault();
    onKey(key);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const hadOverlay = trackOverlay(signal);
    window.addEventListener(
      'keydown',
      (event) => {
        const key = find(event);
        if (hadOverlay() || key === undefined || key === 'close') return;
        // The browser's own search is useful for the rest of the page.
        if (key === 'open' && document.activeElement?.matches(FIELD)) return;
        run(event, key);
      },
      // Before the handlers of lists and text boxes, for which these keys may have another meaning.
      { signal, capture: true },
    );
    // Escape may have another use in the chatroom, such as to stop editing. It closes the search before the chat.
    document.addEventListener(
      'keydown',
      (event) => {
        if (hadOverlay() || event.defaultPrevented || find(event) !== 'close') return;
        run(event, 'close');
      },
      { signal },
    );
    return () => listening.abort();
  }, []);
}
