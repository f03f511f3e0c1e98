import { describe, expect, test } from 'vitest';
import { graphemesOf, shortenText } from './shorten-text.ts';

const FLAG = 'Circassian flag';
const FAMILY = '👩‍👩‍👧‍👦';
/** Shortens to ten characters what a database returns: one more. */
const cut = (text: string) => shortenText(Array.from(text).slice(0, 11).join(''), 10, FLAG);

describe('a text', () => {
  test.each([
    ['0123456789', '0123456789'],
    ['0123456789a', '0123456789…'],
    [' one \n two', 'one two'],
    ['  one \n\n two ', 'one t…'],
    ['12345678  9', '12345678…'],
    ['', ''],
    // Each line keeps its direction.
    ['שלום!\nabc', '\u2068שלום!\u2069 abc'],
    ['abc\nשלום עולם!', 'abc \u2068שלום ע…\u2069'],
  ])('%j is shortened to %j', (text, expected) => {
    expect(cut(text)).toBe(expected);
  });

  test.each([
    [`1234${FAMILY}`, '1234…'],
    [`123${FAMILY}`, `123${FAMILY}`],
    [`123${FAMILY}5`, `123${FAMILY}…`],
    ['12345678🇩🇪0', '12345678🇩🇪…'],
    ['123456789🇩🇪', '123456789…'],
    ['123456789e\u0301x', '123456789…'],
    ['12345678e\u0301x', '12345678e\u0301…'],
    [FAMILY + FAMILY, `${FAMILY}…`],
    ['👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽', '👍🏽👍🏽👍🏽👍🏽👍🏽…'],
  ])('%j is cut at a whole emoji or letter: %j', (text, expected) => {
    expect(cut(text)).toBe(expected);
  });

  test('is never cut inside a shortcode, which is shown by its name', () => {
    expect(cut(':circassia:')).toBe(`…`);
    expect(cut('1:circassia:')).toBe('1…');
    expect(cut('12345678:circassia:')).toBe('12345678…');
    expect(cut('1234567890:circassia:')).toBe('1234567890…');
    expect(shortenText(':circassia:', 11, FLAG)).toBe(FLAG);
    expect(shortenText('1:circassia:', 12, FLAG)).toBe(`1${FLAG}`);
    expect(shortenText(':circassia: and more', 11, FLAG)).toBe(`${FLAG}…`);
    expect(shortenText('a: b: c', 11, FLAG)).toBe('a: b: c');
  });

  test('consists of characters as users count them', () => {
    expect(graphemesOf(`a${FAMILY}e\u0301`)).toEqual(['a', FAMILY, 'e\u0301']);
  });
});
