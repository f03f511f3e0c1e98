import type { Language } from '@parley/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { rememberLanguage } from './initial-language.ts';
import { switchLanguage } from './i18n.ts';

/** The language that is shown now. */
export function useLanguage(): Language {
  return useTranslation().i18n.language === 'de' ? 'de' : 'en';
}

/** Shows everything in another language and keeps that for the next start. */
export function useSwitchLanguage(): (language: Language) => Promise<void> {
  const { i18n } = useTranslation();
  return useCallback(
    async (language) => {
      rememberLanguage(language);
      await switchLanguage(i18n, language);
    },
    [i18n],
  );
}
