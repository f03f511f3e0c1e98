import type { Language } from '@parley/contract';

const STORAGE_KEY = 'parley.language';

/** The language to begin with: what was chosen here before, else German for German browsers, else English. */
export function detectLanguage(storage: Storage, browserLanguage: string): Language {
  const chosen = storage.getItem(STORAGE_KEY);
  if (chosen === 'en' || chosen === 'de') return chosen;
  return browserLanguage.toLowerCase().startsWith('de') ? 'de' : 'en';
}

/** Remembers a choice for the next start in this browser. */
export function rememberLanguage(storage: Storage, language: Language): void {
  storage.setItem(STORAGE_KEY, language);
}
