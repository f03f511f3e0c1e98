import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDistinguishableUsername } from './names.ts';
import { isHighlyRestrictive } from './scripts.ts';

describe('the rules for scripts in usernames', () => {
  test.each([
    'alice',
    'jürgen',
    'Ольга-2',
    'Ελένη',
    '山田太郎',
    'やまだ山田',
    'カタカナ_ひらがな',
    'Tokyo東京タワー',
    '李小龍Bruce',
    '한국사람Kim',
    'ㄅㄆ漢字abc',
    'नेहा',
    'שלמה',
    'محمد٣',
    '٣٤',
    'a.b_c-d.9',
    '𝒶𝒷',
  ])('allow %s', (name) => expect(isHighlyRestrictive(name)).toBe(true));

  test.each([
    ['Latin and Cyrillic', 'pаypal'],
    ['Latin and Greek', 'αlice'],
    ['Cyrillic and Greek', 'ОλьГа'],
    ['Hebrew and Arabic', 'שלמحمد'],
    ['Japanese and Korean', 'ひら한국'],
    ['Latin and Devanagari', 'aनेहा'],
    ['Han and Cyrillic', '山Оля'],
  ])('do not allow %s together', (_, name) => expect(isHighlyRestrictive(name)).toBe(false));

  test('never allow a Cyrillic, Greek or Armenian letter in a Latin name', () => {
    const letters = Array.from({ length: 0x590 - 0x370 }, (_, i) =>
      String.fromCodePoint(0x370 + i),
    ).filter((letter) => /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(letter));
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,9}$/),
        fc.constantFrom(...letters),
        fc.nat(9),
        (latin, letter, at) => {
          const name = latin.slice(0, at) + letter + latin.slice(at);
          expect(isHighlyRestrictive(name)).toBe(false);
        },
      ),
    );
  });

  test('do not depend on the order of the characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'я', '山', 'ひ', '한', 'ㄅ', '1', '-', 'é')),
        (characters) => {
          const mirrored = characters.toReversed().join('');
          expect(isHighlyRestrictive(mirrored)).toBe(isHighlyRestrictive(characters.join('')));
        },
      ),
    );
  });
});

describe('a username', () => {
  test.each(['ngô.ệ', 'ṩam', 'e\u0323\u0302a'])('may have two accents on one letter: %s', (name) =>
    expect(isDistinguishableUsername(name.normalize('NFC'))).toBe(true),
  );

  test('may not have three accents on one letter', () => {
    const mark = fc.constantFrom('\u0300', '\u0301', '\u0323', '\u0336', '\u20dd');
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,5}$/),
        fc.array(mark, { minLength: 3, maxLength: 15 }),
        (letters, marks) => {
          const name = (letters + marks.join('')).normalize('NFC');
          expect(isDistinguishableUsername(name)).toBe(false);
        },
      ),
    );
  });
});
