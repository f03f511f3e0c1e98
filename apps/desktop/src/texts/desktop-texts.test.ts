import { LANGUAGE_CODES, LANGUAGES } from '@parley/texts';
import { describe, expect, test } from 'vitest';
import { parsePayload } from '../main/ipc/payloads.ts';
import { createDefaultSettings, parseSettings } from '../main/settings/settings.ts';
import { chooseSpellingLanguages } from '../main/spelling/spelling.ts';
import { getTrayTooltip } from '../main/tray/tray-menu.ts';
import { getTexts } from './desktop-texts.ts';

describe.each(LANGUAGE_CODES)('in %s', (language) => {
  test('the app has texts for its menus and its tray', () => {
    const texts = getTexts(language);
    expect(texts.checkSpelling).not.toContain('{{');
    expect(getTrayTooltip(texts, 3)).toContain(`: ${texts.unread(3)}`);
    expect(texts.unread(3)).toContain('3');
  });

  test('the app accepts the language from a page and saves it', () => {
    expect(parsePayload('setLanguage', [language])).toEqual([language]);
    expect(parseSettings({ ...createDefaultSettings(), language })?.language).toBe(language);
  });

  test('the spell checker uses the dictionaries of the language', () => {
    const { dictionaries } = LANGUAGES[language];
    expect(chooseSpellingLanguages(dictionaries)).toContain(dictionaries[0]);
  });
});

test('the spelling item names the languages of the dictionaries, starting with that of the menu', () => {
  expect(getTexts('en').checkSpelling).toMatch(/^Check Spelling in English(?:,| and) German\b/);
  expect(getTexts('de').checkSpelling).toMatch(/^Rechtschreibung auf Deutsch(?:,| und) Englisch\b/);
});

test('rejects an unknown language from a page, and ignores it in saved settings', () => {
  expect(() => parsePayload('setLanguage', ['xx'])).toThrow('not the arguments');
  const stored = { ...createDefaultSettings(), spellCheck: false, language: 'xx' };
  expect(parseSettings(stored)).toEqual({ ...createDefaultSettings(), spellCheck: false });
});
