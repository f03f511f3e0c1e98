import { toLanguage, type Language } from '@parley/texts';
import { useCallback, useContext } from 'react';
import { I18nContext, useTranslation } from 'react-i18next';
import { switchLanguage } from './i18n.ts';
import { rememberLanguage } from './initial-language.ts';

/** The language that is shown now. */
export function useLanguage(): Language {
  return toLanguage(useTranslation().i18n.language);
}

/** Shows everything in another language and keeps that for the next start. */
export function useSwitchLanguage(): (language: Language) => Promise<void> {
  // What useTranslation gives is a copy, made anew for each language: switching that switches nothing.
  const { i18n } = useContext(I18nContext);
  return useCallback(
    async (language) => {
      rememberLanguage(language);
      await switchLanguage(i18n, language);
    },
    [i18n],
  );
}
