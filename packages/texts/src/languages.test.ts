import { expect, test } from 'vitest';
import { isLanguage, LANGUAGE_CODES, matchLanguage, toLanguage } from './languages.ts';

test('the default language comes first', () => {
  expect(LANGUAGE_CODES).toEqual(['en', 'de']);
});

test('only codes of the registry are languages', () => {
  expect([isLanguage('de'), isLanguage('DE'), isLanguage('toString'), isLanguage(null)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a stored code that this version does not know gives the default language', () => {
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
])('the locale or header %j gives %s', (locale, language) => {
  expect(matchLanguage(locale)).toBe(language);
});
