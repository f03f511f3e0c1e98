import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, contentKind, cutExcerpt, isSendable, isTextual } from './content.ts';
import { isBlank, trimText } from './visible-text.ts';

describe('cleanText', () => {
  test('removes lines that are empty after trimming and keeps the others unchanged', () => {
    expect(cleanText('  a \n\n \t\nb\r\n\rc')).toBe('  a \nb\nc');
    expect(cleanText(' \n\t\n')).toBe('');
  });

  test.each([
    ['zero-width spaces', '\u200b\n\u200b'],
    ['a blank braille pattern', ' \u2800'],
    ['Hangul fillers', '\u3164\u115f\uffa0'],
    ['word joiners and soft hyphens', '\u2060\u00ad'],
    ['tags', '\u{e0061}\u{e007f}'],
    ['a joiner and a variation selector', '\u200d\ufe0f'],
    ['direction marks', '\u200e\u202e\u2066'],
    ['controls', '\u0007\u0085'],
    ['the place of an object, as dictation leaves it', '\ufffc'],
    ['blank hieroglyphs and notes', '\u{13441}\u{1d159}'],
    ['the mark that joins graphemes', '\u034f'],
  ])('returns nothing for a text of only %s', (_, text) => {
    expect(cleanText(text)).toBe('');
    expect(isBlank(text)).toBe(true);
    expect(trimText(text)).toBe('');
  });

  test.each([
    '.',
    '\u0301',
    '❤\ufe0f',
    '\u0600',
    '\ufffd',
    '\ue000',
    '⣿\n\u2800\u2800\n⣿',
    'a\u200b',
  ])('keeps %j, which is visible', (text) => expect(cleanText(text)).toBe(text));

  test('is idempotent', () => {
    fc.assert(fc.property(fc.string(), (text) => cleanText(cleanText(text)) === cleanText(text)));
  });

  test('never leaves a blank line', () => {
    const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom('', ' ', '\t', '\u00a0')));
    fc.assert(
      fc.property(lines, (parts) => {
        const cleaned = cleanText(parts.join('\n'));
        return cleaned === '' || cleaned.split('\n').every((line) => line.trim() !== '');
      }),
    );
  });
});

describe('isSendable', () => {
  test('accepts 1 to 10,000 code points', () => {
    expect(isSendable('')).toBe(false);
    expect(isSendable('a')).toBe(true);
    expect(isSendable('😀'.repeat(10_000))).toBe(true);
    expect(isSendable('😀'.repeat(10_001))).toBe(false);
    expect(isSendable('a'.repeat(10_001))).toBe(false);
  });
});

describe('contentKind', () => {
  const prefix = 'https://media.example.org/';

  test.each([
    ['photo.jpg', 'image'],
    ['photo.JPEG', 'image'],
    ['a/b/drawing.svg', 'image'],
    ['voice.webm', 'audio'],
    ['voice.aac', 'audio'],
    ['page.html', 'text'],
    ['photo.jpg?x=1', 'text'],
    ['photo.jpg#x', 'text'],
    ['look at this.jpg', 'text'],
    ['jpg', 'text'],
  ])('below the prefix, %s is shown as %s', (name, kind) => {
    expect(contentKind(prefix + name, prefix)).toBe(kind);
  });

  test('treats URLs on other hosts as text', () => {
    expect(contentKind('https://media.example.org.evil.test/a.png', prefix)).toBe('text');
    expect(contentKind(`see ${prefix}a.png`, prefix)).toBe('text');
    expect(contentKind('http://media.example.org/a.png', prefix)).toBe('text');
  });
});

describe('cutExcerpt', () => {
  test('returns the first code points of a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
        const expected = Array.from(text).slice(0, max).join('');
        expect(cutExcerpt(text, max)).toBe(expected);
      }),
    );
  });
});

test('only the content of texts is a text, and not that of unknown kinds', () => {
  expect(['text', 'image', 'audio', 'poll', 'constructor'].filter(isTextual)).toEqual(['text']);
});
