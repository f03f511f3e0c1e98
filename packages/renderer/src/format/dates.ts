import { LANGUAGES, type Language } from '@parley/texts';
import { timeZoneKey } from '../browser/clock.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // A formatter keeps the time zone in which it was created.
  const key = `${locale} ${timeZoneKey(new Date())} ${JSON.stringify(options)}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const created = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, created);
  return created;
}

/** Formats the time of day: `3:05 PM` in English, `15:05` in German. Empty for an invalid date. */
export function formatTime(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const { locale, timeLocale = locale } = LANGUAGES[language];
  const time = formatter(timeLocale, { timeStyle: 'short' }).format(date);
  // Newer ICU data puts a narrow no-break space before AM and PM.
  return time.replaceAll('\u202F', '\u00A0');
}

/**
 * Formats the time of an event: the time alone today, `Yesterday` and the time, or day, short month, year and time.
 * Times after today count as today, as the device's clock or that of the server is wrong.
 */
export function formatWhen(iso: string, language: Language, today: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const time = formatTime(iso, language);
  const age = daysBetween(date, today);
  if (age <= 0) return time;
  if (age === 1) return `${relativeDay(-1, language)} ${time}`;
  return `${formatDate(iso, language)}, ${time}`;
}

/** Formats the time of an event within a sentence, such as `yesterday at 3:37 PM` or `on 5 Mar 2025 at 3:05 PM`. */
export function formatInSentence(iso: string, language: Language, today: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const { relative, absolute } = LANGUAGES[language].inSentence;
  const time = formatTime(iso, language);
  const age = daysBetween(date, today);
  if (age > 1) return absolute(formatDate(iso, language), time);
  return relative(relativeDayWord(age === 1 ? -1 : 0, language), time);
}

/** Formats the time of something planned: the time alone today, else day, short month, year and time. */
export function formatUntil(iso: string, language: Language, today: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const time = formatTime(iso, language);
  return daysBetween(date, today) === 0 ? time : `${formatDate(iso, language)}, ${time}`;
}

/** Formats a date without the time: day, short month and year. Empty for an invalid date. */
export function formatDate(iso: string, language: Language): string {
  return formatParts(iso, language, { day: 'numeric', month: 'short', year: 'numeric' });
}

/**
 * Formats a day for a day separator: `Today`, `Yesterday`, `Wednesday, 5 March` (with the year if not the current one).
 * Times after today count as today.
 */
export function formatDay(iso: string, language: Language, today: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const age = daysBetween(date, today);
  if (age <= 1) return relativeDay(age === 1 ? -1 : 0, language);
  return formatter(LANGUAGES[language].locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(date.getFullYear() !== today.getFullYear() && { year: 'numeric' }),
  }).format(date);
}

/** Formats a month and its year: `March 2025`. Empty for an invalid date. */
export function formatMonth(iso: string, language: Language): string {
  return formatParts(iso, language, { month: 'long', year: 'numeric' });
}

/** Formats the weekday of a date, such as `Wed` or `Wednesday`. Empty for an invalid date. */
export function formatWeekday(iso: string, language: Language, width: 'short' | 'long'): string {
  return formatParts(iso, language, { weekday: width });
}

/** Formats a date with its weekday: `Wednesday, 5 March 2025`. Empty for an invalid date. */
export function formatFullDate(iso: string, language: Language): string {
  return formatParts(iso, language, { dateStyle: 'full' });
}

/** Formats the full date and time for a tooltip. */
export function formatFull(iso: string, language: Language): string {
  if (Number.isNaN(new Date(iso).getTime())) return '';
  return `${formatFullDate(iso, language)}, ${formatTime(iso, language)}`;
}

/** Returns the time, or one of today if it is after today. */
export function notAfterToday(iso: string, today: Date): Date {
  const date = new Date(iso);
  return daysBetween(date, today) < 0 ? today : date;
}

/** Returns a key that is equal for all times of a day in the local time zone. Times after today count as today. */
export function dayKey(iso: string, today: Date): string {
  const date = notAfterToday(iso, today);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** Formats a duration in seconds as `m:ss` or `h:mm:ss`. */
export function formatDuration(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const s = String(whole % 60).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${s}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${s}`;
}

function formatParts(iso: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return formatter(LANGUAGES[language].locale, options).format(date);
}

function relativeDay(offset: 0 | -1, language: Language): string {
  const word = relativeDayWord(offset, language);
  return word.charAt(0).toLocaleUpperCase(LANGUAGES[language].locale) + word.slice(1);
}

function relativeDayWord(offset: 0 | -1, language: Language): string {
  const { locale } = LANGUAGES[language];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(offset, 'day');
}

/** Returns how many days the day of `to` is after that of `from`, in the local time zone. */
export function daysBetween(from: Date, to: Date): number {
  return Math.round((noonOf(to) - noonOf(from)) / 86_400_000);
}

// Measured from noon to noon, so that days with 23 or 25 hours count as one.
function noonOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime();
}
