import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../packages/texts');

/** A language that the tests use. */
export type TestLanguage = 'en' | 'de';

/** All languages, for tests of texts. */
export const TEST_LANGUAGES: readonly TestLanguage[] = ['en', 'de'];

/** Returns a text of the interface: `t('login.submit')`, `t('app.greeting', { name })`. */
export type Translator = (key: string, values?: Record<string, string | number>) => string;

/** Creates a function that returns the texts of the interface in a language. */
export function createTranslator(language: TestLanguage): Translator {
  const texts: unknown = JSON.parse(readFileSync(join(FOLDER, language, 'app.json'), 'utf8'));
  return (key, values = {}) => {
    let text: unknown = texts;
    for (const part of key.split('.')) text = (text as Record<string, unknown> | undefined)?.[part];
    if (typeof text !== 'string') throw new Error(`no text for ${key} in ${language}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
}

/** Returns the browser's locale for a language. */
export function localeOf(language: TestLanguage): 'en-US' | 'de-DE' {
  return language === 'en' ? 'en-US' : 'de-DE';
}
