import { LANGUAGES, type Language } from '@parley/texts';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { formatFullDate, formatMonth, formatWeekday } from '../../format/dates.ts';
import { useToday } from '../../format/use-clock.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import css from './Calendar.module.css';
import {
  addDays,
  addMonths,
  clampDay,
  dayOf,
  daysSince,
  findFirstWeekday,
  FIRST_DAY,
  isSameMonth,
  startOfDay,
  weeksOf,
  type Day,
} from './days.ts';

interface CalendarProps {
  /** The day that is chosen already, if any. */
  selected?: Day | undefined;
  onChoose: (day: Day) => void;
  /** Ref of the day that Tab reaches. */
  activeDayRef: RefObject<HTMLButtonElement | null>;
}

/**
 * A month of days up to today. Follows the ARIA grid pattern: the arrow keys, Home, End, Page Up and Page Down move
 * between days, and Tab reaches one of them.
 */
export function Calendar({ selected, onChoose, activeDayRef }: CalendarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const headingId = useId();
  const today = dayOf(useToday());
  const firstWeekday = findFirstWeekday(regionalLocale(language));
  const [chosen, setActive] = useState(selected ?? today);
  const active = clampDay(chosen, FIRST_DAY, today);
  const weeks = weeksOf(active, firstWeekday);
  const weekdays = Array.from({ length: 7 }, (_, index) =>
    // 4 January 1970 was a Sunday.
    startOfDay(addDays('1970-01-04', firstWeekday + index)).toISOString(),
  );
  const isoOf = (day: Day): string => startOfDay(day).toISOString();

  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = moveDay(active, event, firstWeekday);
    if (target === undefined) return;
    event.preventDefault();
    // The day is in the document once it is active.
    flushSync(() => setActive(clampDay(target, FIRST_DAY, today)));
    activeDayRef.current?.focus();
  };

  // No native element is a grid of buttons that the arrow keys move between.
  const gridProps = { role: 'grid', 'aria-labelledby': headingId, onKeyDown: handleKeyDown };

  const move = (months: number, label: string, icon: ReactNode) => {
    const target = clampDay(addMonths(active, months), FIRST_DAY, today);
    const isPossible = !isSameMonth(target, active);
    return (
      <IconButton
        label={label}
        icon={icon}
        aria-disabled={!isPossible || undefined}
        onClick={() => setActive(target)}
      />
    );
  };

  return (
    <div className={css.calendar}>
      <div className={css.head}>
        {move(-12, t('calendar.previousYear'), <ChevronsLeft />)}
        {move(-1, t('calendar.previousMonth'), <ChevronLeft />)}
        <h3 id={headingId} className={css.month} aria-live="polite">
          {formatMonth(isoOf(active), language)}
        </h3>
        {move(1, t('calendar.nextMonth'), <ChevronRight />)}
        {move(12, t('calendar.nextYear'), <ChevronsRight />)}
      </div>
      <table className={css.days} {...gridProps}>
        <thead>
          <tr>
            {weekdays.map((iso) => (
              <th key={iso} scope="col" abbr={formatWeekday(iso, language, 'long')}>
                {formatWeekday(iso, language, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} aria-selected={day === selected}>
                  <button
                    ref={day === active ? activeDayRef : undefined}
                    type="button"
                    className={css.day}
                    tabIndex={day === active ? 0 : -1}
                    aria-label={formatFullDate(isoOf(day), language)}
                    aria-current={day === today ? 'date' : undefined}
                    data-day={day}
                    data-selected={day === selected || undefined}
                    data-outside={!isSameMonth(day, active) || undefined}
                    disabled={day > today}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the day to which a key moves, if it moves to any. */
function moveDay(
  day: Day,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  firstWeekday: number,
): Day | undefined {
  const inWeek = daysSince(firstWeekday, day);
  const months = shiftKey ? 12 : 1;
  const targets: Readonly<Record<string, () => Day>> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => addDays(day, -inWeek),
    End: () => addDays(day, 6 - inWeek),
    PageUp: () => addMonths(day, -months),
    PageDown: () => addMonths(day, months),
  };
  return targets[key]?.();
}

/** Returns the user's own locale if it is of the language, as weeks begin on different days in its regions. */
function regionalLocale(language: Language): string {
  const own = navigator.languages.find((locale) => locale.split('-')[0] === language);
  return own ?? LANGUAGES[language].locale;
}
