import { expect, test } from 'vitest';
import { normalizeKey } from './mailed-keys.ts';

test.each([
  ['ASCII', '012789'],
  ['full-width digits', '０１２７８９'],
  ['Arabic digits', '٠١٢٧٨٩'],
  ['Persian digits', '۰۱۲۷۸۹'],
  ['Devanagari digits', '०१२७८९'],
  ['mathematical digits', '𝟎𝟙𝟤𝟳𝟠𝟗'],
  ['spaces, also wide ones', ' 012\u3000789\n'],
  ['invisible characters', '\u200E012\u200B789\uFEFF'],
])('a key of digits has one form in %s', (_, key) => {
  expect(normalizeKey(key)).toBe('012789');
});

test.each([
  ['small letters', 'abcdefg2'],
  ['full-width letters', 'ＡｂＣＤＥＦＧ２'],
])('a key of letters has one form in %s', (_, key) => {
  expect(normalizeKey(key)).toBe('ABCDEFG2');
});

test.each(['01278', 'ABCDEFG3', 'O12789'])('the key %s stays another key', (key) => {
  expect(['012789', 'ABCDEFG2']).not.toContain(normalizeKey(key));
});
