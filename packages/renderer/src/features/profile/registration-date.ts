import type { Language } from '@parley/contract';

// Day first in both languages, as everywhere else in the application.
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** The day of registration in words; undefined if there is none that can be read. */
export function registrationDate(
  iso: string | null | undefined,
  language: Language,
): string | undefined {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return undefined;
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long' }).format(date);
}
