import type { Session } from 'electron';

/** English and German at once, as a user may write in both. */
const WANTED = [
  ['en-US', 'en-GB', 'en'],
  ['de-DE', 'de'],
];

/** Returns the wanted dictionaries among the available ones. */
export function spellingLanguages(available: readonly string[]): string[] {
  return WANTED.flatMap((names) => names.find((name) => available.includes(name)) ?? []);
}

type SpellSession = Pick<
  Session,
  'availableSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'setSpellCheckerLanguages'
>;

/** Switches spell checking on or off. macOS chooses the languages itself. */
export function setSpelling(session: SpellSession, isOn: boolean, platform: NodeJS.Platform): void {
  session.setSpellCheckerEnabled(isOn);
  if (!isOn || platform === 'darwin') return;
  session.setSpellCheckerLanguages(spellingLanguages(session.availableSpellCheckerLanguages));
}
