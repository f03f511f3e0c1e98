import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../packages/texts');

/** The languages that the tests read the application in. */
export type Language = 'en' | 'de';

/** Both, for tests of what is said. */
export const LANGUAGES: readonly Language[] = ['en', 'de'];

/** The words of the interface in a language: `say('login.submit')`, `say('app.greeting', { name })`. */
export type Say = (key: string, values?: Record<string, string | number>) => string;

/** Reads the interface's words, so that tests look for what a person sees in either language. */
export function words(language: Language): Say {
  const texts: unknown = JSON.parse(readFileSync(join(FOLDER, language, 'app.json'), 'utf8'));
  return (key, values = {}) => {
    let text: unknown = texts;
    for (const part of key.split('.')) text = (text as Record<string, unknown> | undefined)?.[part];
    if (typeof text !== 'string') throw new Error(`no text for ${key} in ${language}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
}

/** The browser's settings for somebody who reads a language. */
export function localeOf(language: Language): 'en-US' | 'de-DE' {
  return language === 'en' ? 'en-US' : 'de-DE';
}
