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

/** Loads the texts of the screens in the current language. Screens must not be shown before. */
export async function loadScreenTexts(instance: i18n): Promise<void> {
  await addTexts(instance, toLanguage(instance.language), 'screens');
}

/** Loads all texts of a language and switches to it. */
export async function switchLanguage(instance: i18n, requested: Language): Promise<void> {
  // A newer server may know more languages than this client.
  const language = toLanguage(requested);
  if (instance.language === language) return;
  // Includes the texts of the screens, as screens that are already loaded do not load them again.
  await Promise.all([addTexts(instance, language, 'app'), addTexts(instance, language, 'screens')]);
  await instance.changeLanguage(language);
}

/** Merges a text file into the instance. Loads it only once per language. */
async function addTexts(instance: i18n, language: Language, file: TextFile): Promise<void> {
  instance.addResourceBundle(language, 'translation', await loadTexts(language, file), true);
}
