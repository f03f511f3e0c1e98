import { LANGUAGE_CODES, LANGUAGES } from '@parley/texts';
import { describe, expect, test } from 'vitest';
import { parsePayload } from '../main/ipc/payloads.ts';
import { defaultSettings, parseSettings } from '../main/settings/settings.ts';
import { spellingLanguages } from '../main/spelling/spelling.ts';
import { trayTip } from '../main/tray/tray-menu.ts';
import { textsOf } from './texts.ts';

describe.each(LANGUAGE_CODES)('in %s', (language) => {
  test('the app has texts for its menus and its tray', () => {
    const texts = textsOf(language);
    expect(texts.checkSpelling).not.toContain('{{');
    expect(trayTip(texts, 3)).toContain(`: ${texts.unread(3)}`);
    expect(texts.unread(3)).toContain('3');
  });

  test('the app accepts the language from a page and saves it', () => {
    expect(parsePayload('setLanguage', [language])).toEqual([language]);
    expect(parseSettings({ ...defaultSettings(), language })?.language).toBe(language);
  });

  test('the spell checker uses the dictionaries of the language', () => {
    const { dictionaries } = LANGUAGES[language];
    expect(spellingLanguages(dictionaries)).toContain(dictionaries[0]);
  });
});

test('the spelling item names the languages of the dictionaries, starting with that of the menu', () => {
  expect(textsOf('en').checkSpelling).toMatch(/^Check Spelling in English(?:,| and) German\b/);
  expect(textsOf('de').checkSpelling).toMatch(/^Rechtschreibung auf Deutsch(?:,| und) Englisch\b/);
});

test('rejects an unknown language from a page, and ignores it in saved settings', () => {
  expect(() => parsePayload('setLanguage', ['xx'])).toThrow('not the arguments');
  const stored = { ...defaultSettings(), spellCheck: false, language: 'xx' };
  expect(parseSettings(stored)).toEqual({ ...defaultSettings(), spellCheck: false });
});
