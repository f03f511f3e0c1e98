import {
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { isModified } from '../../../shared/keyboard/key-press.ts';

interface ResultFocus {
  /** The key of the result that Tab reaches. */
  tabStop: string | undefined;
  /** Handlers of the element that contains the results. */
  handlers: {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    onFocus: (event: FocusEvent<HTMLElement>) => void;
    onBlur: () => void;
  };
}

/**
 * Moves the focus between results, of which Tab reaches one, and to the next one if the focused one disappears.
 * @param keys the keys of all results in order, which their elements have as `data-result`
 * @param onLeave called when the focus leaves the results upwards or with Escape
 */
export function useResultFocus(
  container: RefObject<HTMLElement | null>,
  keys: readonly string[],
  onLeave: () => void,
): ResultFocus {
  const [focused, setFocused] = useState<string>();
  const hasFocus = useRef(false);
  const tabStop = focused !== undefined && keys.includes(focused) ? focused : keys[0];

  const focus = (key: string | undefined): void => {
    if (key === undefined) return;
    const selector = `[data-result="${CSS.escape(key)}"]`;
    container.current?.querySelector<HTMLElement>(selector)?.focus();
  };

  const previousKeys = useRef(keys);
  useLayoutEffect(() => {
    const before = previousKeys.current;
    previousKeys.current = keys;
    // React reports no blur if it removes the focused element.
    if (!hasFocus.current || document.activeElement !== document.body) return;
    const index = before.indexOf(focused ?? '');
    const next = before.slice(index + 1).find((key) => keys.includes(key)) ?? keys.at(-1);
    if (next === undefined) onLeave();
    else focus(next);
  });

  return {
    tabStop,
    handlers: {
      onKeyDown: (event) => {
        if (isModified(event)) return;
        const result = event.target instanceof Element && event.target.closest('[data-result]');
        const index = keys.indexOf((result && result.getAttribute('data-result')) || '');
        if (event.key === 'Escape' || (event.key === 'ArrowUp' && index === 0)) onLeave();
        else if (index < 0) return;
        else if (event.key === 'ArrowDown') focus(keys[index + 1]);
        else if (event.key === 'ArrowUp') focus(keys[index - 1]);
        else if (event.key === 'Home') focus(keys[0]);
        else if (event.key === 'End') focus(keys.at(-1));
        else return;
        event.preventDefault();
      },
      onFocus: ({ target }) => {
        hasFocus.current = true;
        const key = target.closest('[data-result]')?.getAttribute('data-result');
        if (key !== null && key !== undefined) setFocused(key);
      },
      onBlur: () => {
        hasFocus.current = false;
      },
    },
  };
}
