import { toLanguage, type Language } from '@parley/texts';
import { useCallback, useContext } from 'react';
import { I18nContext, useTranslation } from 'react-i18next';
import { loadScreenTexts, switchLanguage, type ScreenTexts } from './i18n.ts';
import { saveLanguage } from './initial-language.ts';

/** Returns the current language. */
export function useLanguage(): Language {
  return toLanguage(useTranslation().i18n.language);
}

/** Returns a function that switches to a language and stores it for the next start. */
export function useSwitchLanguage(): (language: Language) => Promise<void> {
  // useTranslation returns a copy for each language. Switching that copy has no effect.
  const { i18n } = useContext(I18nContext);
  return useCallback(
    async (language) => {
      saveLanguage(language);
      await switchLanguage(i18n, language);
    },
    [i18n],
  );
}

/** Loads the texts that all screens may have, and those of a few. */
export type LoadScreenTexts = (...others: ScreenTexts[]) => Promise<void>;

/** Returns a function that loads texts of the screens in the current language. */
export function useLoadScreenTexts(): LoadScreenTexts {
  const { i18n } = useContext(I18nContext);
  return useCallback((...others) => loadScreenTexts(i18n, ...others), [i18n]);
}
