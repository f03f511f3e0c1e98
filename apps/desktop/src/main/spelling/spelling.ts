import type { Session } from 'electron';

/** English and German at once; a person writes to one friend in this and to another in that language. */
const WANTED = [
  ['en-US', 'en-GB', 'en'],
  ['de-DE', 'de'],
];

/** The dictionaries to check with, among those that there are. */
export function spellingLanguages(available: readonly string[]): string[] {
  return WANTED.flatMap((names) => names.find((name) => available.includes(name)) ?? []);
}

type SpellSession = Pick<
  Session,
  'availableSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'setSpellCheckerLanguages'
>;

/** Switches spell checking for the pages of a session. macOS chooses the languages itself and has no list. */
export function setSpelling(session: SpellSession, isOn: boolean, platform: NodeJS.Platform): void {
  session.setSpellCheckerEnabled(isOn);
  if (!isOn || platform === 'darwin') return;
  session.setSpellCheckerLanguages(spellingLanguages(session.availableSpellCheckerLanguages));
}
