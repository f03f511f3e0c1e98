import { expect, test } from 'vitest';
import { languageOf } from './initial-language.ts';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-ch', 'de'],
  ['en-GB', 'en'],
  ['fr', 'en'],
  ['den', 'en'],
  ['', 'en'],
])('a browser in "%s" begins in %s', (browser, language) => {
  expect(languageOf(browser)).toBe(language);
});
