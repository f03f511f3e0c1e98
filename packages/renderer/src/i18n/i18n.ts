import {
  loadTexts,
  toLanguage,
  type EnglishAppTexts,
  type Language,
  type TextFile,
} from '@parley/texts';
import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: EnglishAppTexts };
  }
}

/**
 * Creates the i18next instance with the texts of the first load in one language. Keeps `lang` of the document up
 * to date.
 */
export async function createI18n(language: Language): Promise<i18n> {
  const texts = await loadTexts(language, 'app');
  const instance = createInstance();
  instance.on('languageChanged', (lng) => {
    document.documentElement.lang = lng;
  });
  await instance.use(initReactI18next).init({
    lng: language,
    // A copy, as `addTexts` merges other texts into it.
    resources: { [language]: { translation: structuredClone(texts) } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}

/** The files with the texts of the screens. Each feature may have one of its own. */
const SCREEN_FILES = ['notifications', 'screens', 'search'] as const satisfies readonly TextFile[];

/** Texts that only few screens have. They load with these screens. */
const OTHER_FILES = [
  'data',
  'dialogs',
  'information',
  'invitations',
  'keyboard',
  'list',
  'selection',
  'settings',
  'share',
] as const satisfies readonly TextFile[];

/** The name of a file with texts that only few screens have. */
export type ScreenTexts = (typeof OTHER_FILES)[number];

/** Starts to load the texts of the screens in a language, so that they are there when they are needed. */
export function preloadScreenTexts(language: Language): void {
  for (const file of SCREEN_FILES) loadTexts(language, file).catch(() => undefined);
}

/**
 * Loads the texts of the screens in the current language, and other files. Screens must not be shown before.
 */
export async function loadScreenTexts(instance: i18n, ...others: ScreenTexts[]): Promise<void> {
  const language = toLanguage(instance.language);
  await Promise.all([...SCREEN_FILES, ...others].map((file) => addTexts(instance, language, file)));
}

/** Loads the texts of the causes of failures in the current language. */
export async function loadCauseTexts(instance: i18n): Promise<void> {
  await addTexts(instance, toLanguage(instance.language), 'causes');
}

/** Loads all texts of a language and switches to it. */
export async function switchLanguage(instance: i18n, requested: Language): Promise<void> {
  // A newer server may know more languages than this client.
  const language = toLanguage(requested);
  if (instance.language === language) return;
  // Includes the texts of the screens, as screens that are already loaded do not load them again.
  const files = ['app', ...SCREEN_FILES, ...OTHER_FILES] as const;
  await Promise.all(files.map((file) => addTexts(instance, language, file)));
  await instance.changeLanguage(language);
}

/** Merges a text file into the instance. Loads it only once per language. */
async function addTexts(instance: i18n, language: Language, file: TextFile): Promise<void> {
  instance.addResourceBundle(language, 'translation', await loadTexts(language, file), true);
}
