import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialLanguage, saveLanguage } from './initial-language.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-ch', 'de'],
  ['en-GB', 'en'],
  ['fr', 'en'],
  ['den', 'en'],
  ['', 'en'],
])('a browser with the language "%s" selects the language "%s"', (browser, language) => {
  vi.stubGlobal('navigator', { language: browser });
  expect(initialLanguage()).toBe(language);
});

test('prefers the language chosen by the user over the language of the browser', () => {
  vi.stubGlobal('navigator', { language: 'en-US' });
  saveLanguage('de');
  expect(initialLanguage()).toBe('de');
});

test('ignores a stored language that this version does not support', () => {
  vi.stubGlobal('navigator', { language: 'de-DE' });
  stored.set('parley.language', '"xx"');
  expect(initialLanguage()).toBe('de');
});
