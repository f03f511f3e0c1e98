import { loadTexts, type Language } from '../src/index.ts';

const LANGUAGES: readonly Language[] = ['en', 'de'];

/** The files with texts of the app. */
const FILES = [
  'app',
  'causes',
  'data',
  'dialogs',
  'information',
  'invitations',
  'list',
  'keyboard',
  'settings',
  'notifications',
  'share',
  'screens',
  'search',
  'selection',
] as const;

/** A language that the tests use. */
export type TestLanguage = Language;

/**
 * The languages in which tests of texts run: `en`, or those that `PARLEY_TEST_LANGUAGES` lists,
 * such as `en,de`.
 */
export const TEST_LANGUAGES = readLanguages(process.env['PARLEY_TEST_LANGUAGES'] ?? 'en');

function readLanguages(list: string): readonly TestLanguage[] {
  return list.split(',').map((name) => {
    const language = LANGUAGES.find((known) => known === name.trim());
    if (language === undefined) {
      throw new Error(`PARLEY_TEST_LANGUAGES is ${list}, not a list of ${LANGUAGES.join(', ')}`);
    }
    return language;
  });
}

const texts = {
  en: await loadAppTexts('en'),
  de: await loadAppTexts('de'),
} satisfies Record<TestLanguage, unknown>;

function loadAppTexts(language: TestLanguage): Promise<readonly unknown[]> {
  return Promise.all(FILES.map((file) => loadTexts(language, file)));
}

/** Returns a text of the interface: `t('login.submit')`, `t('app.greeting', { name })`. */
export type Translator = (key: string, values?: Record<string, string | number>) => string;

/** Creates a function that returns the texts of the interface in a language. */
export function createTranslator(language: TestLanguage): Translator {
  return (key, values = {}) => {
    const text = texts[language]
      .map((file) => findText(file, key))
      .find((found) => found !== undefined);
    if (typeof text !== 'string') throw new Error(`no text for ${key} in ${language}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
}

function findText(file: unknown, key: string): unknown {
  let text = file;
  for (const part of key.split('.')) text = (text as Record<string, unknown> | undefined)?.[part];
  return text;
}

/** Returns the browser's locale for a language. */
export function localeOf(language: TestLanguage): 'en-US' | 'de-DE' {
  return language === 'en' ? 'en-US' : 'de-DE';
}
