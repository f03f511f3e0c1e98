import { expect, test } from 'vitest';
import { isLanguage, LANGUAGE_CODES, matchLanguage, toLanguage } from './languages.ts';

test('lists the default language first', () => {
  expect(LANGUAGE_CODES).toEqual(['en', 'de']);
});

test('accepts only codes of the registry as languages', () => {
  expect([isLanguage('de'), isLanguage('DE'), isLanguage('toString'), isLanguage(null)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('falls back to the default language for unknown codes', () => {
  expect([toLanguage('de'), toLanguage('xx'), toLanguage(undefined)]).toEqual(['de', 'en', 'en']);
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE_ch', 'de'],
  ['de-AT,de;q=0.9', 'de'],
  [' de;q=0.5, en', 'de'],
  ['en-GB', 'en'],
  ['den', 'en'],
  ['fr, de', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('matches the locale or header %j to %s', (locale, language) => {
  expect(matchLanguage(locale)).toBe(language);
});
