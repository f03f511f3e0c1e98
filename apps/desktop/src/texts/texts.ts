import type { Language } from '@parley/contract';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export type { Texts } from './en.ts';

/** The texts of a language. */
export function textsOf(language: Language): Texts {
  return language === 'de' ? de : en;
}

/** The language that a locale of the system's means: German where it starts with de, otherwise English. */
export function languageOf(locale: string): Language {
  return locale.toLowerCase().startsWith('de') ? 'de' : 'en';
}
