import type { Language } from '@parley/texts';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { VirtualizerHandle } from 'virtua';
import { dayKey, formatDay } from '../../../format/dates.ts';
import { findDatePillTime } from './date-pill-time.ts';
import css from './DatePill.module.css';
import { listenToInputs } from './listen-to-inputs.ts';
import type { TimelineRow } from './timeline.ts';

interface DatePillProps {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  rows: readonly TimelineRow[];
  language: Language;
  today: Date;
  /** Called with the time of a message of the day when the user chooses the pill. */
  onChoose: (time: string) => void;
}

/** Time in milliseconds after which the pill disappears when the list stands still. */
const HIDE_DELAY = 1_000;

/**
 * The day of the topmost message, which floats above the list while the user scrolls, and opens the calendar. With a
 * keyboard, the menu of the chatroom does so.
 */
export function DatePill({ scroller, list, rows, language, today, onChoose }: DatePillProps) {
  const { t } = useTranslation();
  // The day stays rendered while the pill fades out.
  const [time, setTime] = useState<string>();
  const [isVisible, setIsVisible] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const update = useEffectEvent((element: HTMLElement): void => {
    const found = list.current ? findDatePillTime(element, list.current, rows) : undefined;
    setIsVisible(found !== undefined);
    if (found === undefined) return;
    setTime((before) =>
      before !== undefined && dayKey(before, today) === dayKey(found, today) ? before : found,
    );
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // The list also scrolls when it opens and when messages arrive.
    let isUserScrolling = false;
    const stopListening = listenToInputs(element, () => {
      isUserScrolling = true;
    });
    const handleScroll = (): void => {
      if (!isUserScrolling) return;
      update(element);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        isUserScrolling = false;
        setIsVisible(false);
      }, HIDE_DELAY);
    };
    element.addEventListener('scroll', handleScroll, { passive: true });
    return () => {
      stopListening();
      element.removeEventListener('scroll', handleScroll);
      clearTimeout(timer.current);
    };
  }, [scroller]);

  if (time === undefined) return null;
  return (
    <button
      type="button"
      className={css.pill}
      data-visible={isVisible || undefined}
      tabIndex={-1}
      title={t('calendar.open')}
      onWheel={({ deltaY }) => scroller.current?.scrollBy({ top: deltaY })}
      onBlur={({ relatedTarget }) => {
        if (!relatedTarget?.closest('[role="dialog"]')) setIsVisible(false);
      }}
      onClick={() => {
        // It stays, so that the focus can return to it from the calendar.
        clearTimeout(timer.current);
        onChoose(time);
      }}
    >
      {formatDay(time, language, today)}
    </button>
  );
}
