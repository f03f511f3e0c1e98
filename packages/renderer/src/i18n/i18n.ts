import { loadTexts, toLanguage, type EnglishAppTexts, type Language } from '@parley/texts';
import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: EnglishAppTexts };
  }
}

/** Creates the i18next instance with the texts of one language. Keeps `lang` of the document up to date. */
export async function createI18n(language: Language): Promise<i18n> {
  const texts = await loadTexts(language, 'app');
  const instance = createInstance();
  instance.on('languageChanged', (lng) => {
    document.documentElement.lang = lng;
  });
  await instance.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: texts } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}

/** Loads the texts of a language and switches to it. */
export async function switchLanguage(instance: i18n, requested: Language): Promise<void> {
  // A newer server may know more languages than this client.
  const language = toLanguage(requested);
  if (instance.language === language) return;
  if (!instance.hasResourceBundle(language, 'translation')) {
    instance.addResourceBundle(language, 'translation', await loadTexts(language, 'app'));
  }
  await instance.changeLanguage(language);
}
