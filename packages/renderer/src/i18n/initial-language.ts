import type { Language } from '@parley/contract';
import { localRecord } from '../stores/local-record.ts';

const chosen = () => localRecord<Language | undefined>('parley.language', undefined, parseLanguage);

function parseLanguage(value: unknown): Language | undefined {
  return value === 'en' || value === 'de' ? value : undefined;
}

/** The language to begin with: what was chosen in this browser before, else the browser's own. */
export function initialLanguage(): Language {
  return chosen().read() ?? languageOf(navigator.language);
}

/** German for a browser that speaks any German, English for all others. */
export function languageOf(browserLanguage: string): Language {
  return /^de(?:-|$)/i.test(browserLanguage) ? 'de' : 'en';
}

/** Keeps a choice for the next start in this browser. */
export function rememberLanguage(language: Language): void {
  chosen().write(language);
}
