import { useCallback, useEffect, useEffectEvent, useMemo, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useClientState } from '../../../client/client-context.ts';
import { hasKey, type TimelineRow } from './timeline.ts';
import { findRowsInView } from './visible-rows.ts';

interface TabStopOptions {
  scroller: RefObject<HTMLElement | null>;
  rows: readonly TimelineRow[];
  /** The key of the row whose menu is open. */
  openKey: string | undefined;
  /** The key of the row that the user has jumped to. */
  targetKey: string | undefined;
}

/**
 * Tracks which message Tab reaches: the one that was focused last, or the newest, or the lowest one in view if that one
 * is not. This message, the one whose menu is open and the one whose recording is playing stay mounted outside the
 * visible part of the list.
 */
export function useTabStop({ scroller, rows, openKey, targetKey }: TabStopOptions) {
  const playingKey = useClientState('playback', (state) => state.key);
  const [tabStop, setTabStop] = useState<string>();
  const keepMounted = useMemo(
    () =>
      rows.flatMap((row, index) =>
        [tabStop, openKey, targetKey].some((kept) => hasKey(row, kept)) ||
        (playingKey !== undefined && row.message?._id === playingKey)
          ? [index]
          : [],
      ),
    [rows, tabStop, openKey, targetKey, playingKey],
  );
  const handleFocus = useCallback((target: Element) => {
    // Buttons beside the messages are also in the frame.
    const row = target.closest<HTMLElement>('[data-key]');
    if (row) setTabStop(row.dataset['key']);
  }, []);
  const key = (rows.find((row) => hasKey(row, tabStop)) ?? rows.at(-1))?.key;

  const moveIntoView = useEffectEvent((): void => {
    const { current: list } = scroller;
    if (!list || list.contains(document.activeElement)) return;
    const inView = findRowsInView(list).map((row) => row.dataset['key']);
    if (inView.length === 0 || inView.includes(key)) return;
    // At once, before the browser looks for the next element to focus.
    flushSync(() => setTabStop(inView.at(-1)));
  });
  useEffect(() => {
    const handleKeyDown = ({ key: pressed }: KeyboardEvent): void => {
      if (pressed === 'Tab') moveIntoView();
    };
    window.addEventListener('keydown', handleKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', handleKeyDown, { capture: true });
  }, []);

  return { key, keepMounted, handleFocus };
}
