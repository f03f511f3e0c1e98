import type { Language } from '@parley/texts';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { dayKey, formatDay } from '../../../format/dates.ts';
import { findDatePillTime } from './date-pill-time.ts';
import css from './DatePill.module.css';
import type { TimelineRow } from './timeline.ts';

interface DatePillProps {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  language: Language;
  today: Date;
}

/** Time in milliseconds after which the pill disappears when the list stands still. */
const HIDE_DELAY = 1_000;

/** The day of the topmost message, which floats above the list while the user scrolls. */
export function DatePill({ scroller, list, rows, language, today }: DatePillProps) {
  // The day stays rendered while the pill fades out.
  const [time, setTime] = useState<string>();
  const [isVisible, setIsVisible] = useState(false);

  const update = useEffectEvent((element: HTMLElement): void => {
    const found = list.current ? findDatePillTime(element, list.current, rows) : undefined;
    setIsVisible(found !== undefined);
    if (found === undefined) return;
    setTime((before) =>
      before !== undefined && dayKey(before) === dayKey(found) ? before : found,
    );
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const options = { signal: stop.signal, passive: true };
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The list also scrolls when it opens and when messages arrive.
    let isUserScrolling = false;
    const handleInput = (): void => {
      isUserScrolling = true;
    };
    const handleScroll = (): void => {
      if (!isUserScrolling) return;
      update(element);
      clearTimeout(timer);
      timer = setTimeout(() => {
        isUserScrolling = false;
        setIsVisible(false);
      }, HIDE_DELAY);
    };
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      element.addEventListener(type, handleInput, options);
    }
    element.addEventListener('scroll', handleScroll, options);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [scroller]);

  if (time === undefined) return null;
  // Screen readers read the day separators.
  return (
    <p className={css.pill} data-visible={isVisible || undefined} aria-hidden="true">
      {formatDay(time, language, today)}
    </p>
  );
}
