import { expect, test, vi } from 'vitest';
import { setSpelling, chooseSpellingLanguages } from './spelling.ts';

test('finds English and German under their available names', () => {
  expect(chooseSpellingLanguages(['af', 'de', 'de-DE', 'en-GB', 'en-US'])).toEqual([
    'en-US',
    'de-DE',
  ]);
  expect(chooseSpellingLanguages(['de', 'en-GB'])).toEqual(['en-GB', 'de']);
  expect(chooseSpellingLanguages(['fr'])).toEqual([]);
});

test('sets the languages only if the system does not choose them and spell checking is on', () => {
  const session = {
    availableSpellCheckerLanguages: ['de', 'en-US'],
    setSpellCheckerEnabled: vi.fn<(isOn: boolean) => void>(),
    setSpellCheckerLanguages: vi.fn<(languages: string[]) => void>(),
  };
  setSpelling(session, true, 'darwin');
  setSpelling(session, false, 'linux');
  expect(session.setSpellCheckerLanguages).not.toHaveBeenCalled();
  setSpelling(session, true, 'win32');
  expect(session.setSpellCheckerLanguages).toHaveBeenCalledWith(['en-US', 'de']);
  expect(session.setSpellCheckerEnabled.mock.calls).toEqual([[true], [false], [true]]);
});
