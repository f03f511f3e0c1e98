import { LANGUAGES, type Language } from '@parley/texts';

/** Returns the formatted day of registration; undefined if it is missing or invalid. */
export function registrationDate(
  iso: string | null | undefined,
  language: Language,
): string | undefined {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return undefined;
  return new Intl.DateTimeFormat(LANGUAGES[language].locale, { dateStyle: 'long' }).format(date);
}
