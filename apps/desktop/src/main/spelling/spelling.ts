import { LANGUAGE_CODES, LANGUAGES } from '@parley/texts';
import type { Session } from 'electron';

/** Returns the dictionaries of all languages, as a user may write in each. */
export function chooseSpellingLanguages(available: readonly string[]): string[] {
  return LANGUAGE_CODES.flatMap(
    (code) => LANGUAGES[code].dictionaries.find((name) => available.includes(name)) ?? [],
  );
}

type SpellSession = Pick<
  Session,
  'availableSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'setSpellCheckerLanguages'
>;

/** Switches spell checking on or off. macOS chooses the languages itself. */
export function setSpelling(session: SpellSession, isOn: boolean, platform: NodeJS.Platform): void {
  session.setSpellCheckerEnabled(isOn);
  if (!isOn || platform === 'darwin') return;
  session.setSpellCheckerLanguages(chooseSpellingLanguages(session.availableSpellCheckerLanguages));
}
