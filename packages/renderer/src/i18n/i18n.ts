import type { Language } from '@parley/contract';
import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from './en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** The texts of each language, fetched only where it is spoken. */
const TEXTS: Record<Language, () => Promise<{ default: typeof en }>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
};

/** Texts in one language, ready to render. `lang` of the document follows it. */
export async function createI18n(language: Language): Promise<i18n> {
  const texts = await TEXTS[language]();
  const instance = createInstance();
  instance.on('languageChanged', (lng) => {
    document.documentElement.lang = lng;
  });
  await instance.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: texts.default } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  return instance;
}

/** Fetches a language's texts and shows everything in it. */
export async function switchLanguage(instance: i18n, language: Language): Promise<void> {
  if (instance.language === language) return;
  if (!instance.hasResourceBundle(language, 'translation')) {
    const texts = await TEXTS[language]();
    instance.addResourceBundle(language, 'translation', texts.default);
  }
  await instance.changeLanguage(language);
}
