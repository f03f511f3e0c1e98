import { isLanguage, matchLanguage, type Language } from '@parley/texts';
import { localRecord } from '../browser/local-record.ts';

const chosen = () =>
  localRecord<Language | undefined>('parley.language', undefined, (value) =>
    isLanguage(value) ? value : undefined,
  );

/** The language to begin with: what was chosen in this browser before, else the browser's own. */
export function initialLanguage(): Language {
  return chosen().read() ?? matchLanguage(navigator.language);
}

/** Keeps a choice for the next start in this browser. */
export function rememberLanguage(language: Language): void {
  chosen().write(language);
}
