import { useMemo } from 'react';
import { useLanguage } from '../i18n/use-language.ts';
import {
  formatDate,
  formatFull,
  formatInSentence,
  formatMonth,
  formatTime,
  formatUntil,
  formatWhen,
} from './dates.ts';
import { useToday } from './use-clock.ts';

type Format = (iso: string) => string;

/** Formats in the current language, relative to the current day. */
export interface DateFormat {
  readonly time: Format;
  readonly when: Format;
  readonly inSentence: Format;
  readonly until: Format;
  readonly date: Format;
  readonly month: Format;
  readonly full: Format;
}

/** Returns the functions of `dates.ts`, for components that follow the language, the day and the time zone. */
export function useDateFormat(): DateFormat {
  const language = useLanguage();
  const today = useToday();
  return useMemo(
    () => ({
      time: (iso) => formatTime(iso, language),
      when: (iso) => formatWhen(iso, language, today),
      inSentence: (iso) => formatInSentence(iso, language, today),
      until: (iso) => formatUntil(iso, language, today),
      date: (iso) => formatDate(iso, language),
      month: (iso) => formatMonth(iso, language),
      full: (iso) => formatFull(iso, language),
    }),
    [language, today],
  );
}
