import { LANGUAGES, type Language } from '@parley/texts';

/** The day of registration in words; undefined if there is none that can be read. */
export function registrationDate(
  iso: string | null | undefined,
  language: Language,
): string | undefined {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return undefined;
  return new Intl.DateTimeFormat(LANGUAGES[language].locale, { dateStyle: 'long' }).format(date);
}
