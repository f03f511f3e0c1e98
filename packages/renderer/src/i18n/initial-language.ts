import { isLanguage, matchLanguage, type Language } from '@parley/texts';
import { localRecord } from '../browser/local-record.ts';

const storedLanguage = () =>
  localRecord<Language | undefined>('parley.language', undefined, (value) =>
    isLanguage(value) ? value : undefined,
  );

/** Returns the language that was chosen in this browser, or that of the browser. */
export function initialLanguage(): Language {
  return storedLanguage().read() ?? matchLanguage(navigator.language);
}

/** Stores the chosen language in this browser. */
export function saveLanguage(language: Language): void {
  storedLanguage().write(language);
}
