import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, foldWithOrigin } from './fold-text.ts';
import { createExcerpt, findMatches } from './search-excerpt.ts';
import { containsWords, longWords, parseSearchQuery } from './search-query.ts';

const letters = fc.constantFrom(...Array.from('aouesßÄöüÉ ñß\u0301\u0308\u00ad\n👩‍💻İ\ud800ﬁxyz'));
const text = fc
  .array(fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

const sliceCharacters = (from: string, start: number, length: number) =>
  Array.from(from)
    .slice(start, start + length)
    .join('');

describe('foldText', () => {
  test.each([
    ['Äpfel ÖL über', 'apfel ol uber'],
    ['Straße STRASSE ẞ', 'strasse strasse ss'],
    ['a\u0308pfel', 'apfel'],
    ['Éclair naïve', 'eclair naive'],
    ['Łódź Ærø Œuvre', 'lodz aero oeuvre'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['ΟΔΟΣ ὀδός', 'οδοσ οδοσ'],
    ['Donau\u00addampf\u200bschiff', 'donaudampfschiff'],
    ['line\nbreak\tand\u00a0space', 'line break and space'],
    ['ﬁsh ２０', 'fish 20'],
    ['が か', 'か\u3099 か'],
    ['a\ud800b\0', 'a\ufffdb'],
  ])('folds %j to %j', (original, folded) => {
    expect(foldText(original)).toBe(folded);
  });

  test('is idempotent and never contains line breaks, null characters or lone surrogates', () => {
    fc.assert(
      fc.property(text, (original) => {
        const folded = foldText(original);
        expect(foldText(folded)).toBe(folded);
        expect(folded).not.toMatch(/[\n\r\0]|\p{Cs}/u);
        expect(foldWithOrigin(original).folded).toBe(folded);
      }),
    );
  });
});

describe('parseSearchQuery', () => {
  test('separates words, and tries ae, oe and ue as umlauts', () => {
    expect(parseSearchQuery('  Große  Küche grosse ')).toEqual([['grosse'], ['kuche']]);
    expect(parseSearchQuery('Steuerung')).toEqual([['steuerung', 'steurung']]);
    expect(parseSearchQuery('Kuechengeraet')[0]?.toSorted()).toEqual([
      'kuchengeraet',
      'kuchengerat',
      'kuechengeraet',
      'kuechengerat',
    ]);
    expect(parseSearchQuery('aeoeue')).toEqual([['aeoeue', 'aou']]);
    expect(parseSearchQuery('\u00ad \n')).toEqual([]);
  });

  test('keeps spellings of long words from becoming too short', () => {
    expect(parseSearchQuery('aeb')).toEqual([['aeb']]);
    expect(parseSearchQuery('ue')).toEqual([['ue']]);
  });

  test('finds an umlaut in its own text by each spelling', () => {
    const german = fc.array(fc.constantFrom(...Array.from('bdgklmnrstäöü')), {
      minLength: 3,
      maxLength: 20,
    });
    fc.assert(
      fc.property(german, (all) => {
        const original = all.join('');
        const umlauts = original.match(/[äöü]/g)?.length ?? 0;
        const spelled = original.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
        for (const query of [original, original.toUpperCase(), spelled]) {
          expect(containsWords(foldText(original), parseSearchQuery(query)), query).toBe(true);
        }
        expect(parseSearchQuery(spelled)[0]?.length).toBeLessThanOrEqual(umlauts === 0 ? 1 : 4);
      }),
    );
  });
});

test('longWords leaves out words of fewer than three characters', () => {
  expect(longWords(parseSearchQuery('in ab Berlin 😀😀 日本語'))).toEqual([['berlin'], ['日本語']]);
});

describe('findMatches', () => {
  test.each([
    ['Donaudampfschifffahrt', 'schiff', ['schiff']],
    ['Große Straße', 'STRASSE', ['Straße']],
    ['weiß', 's', ['ß']],
    ['Ga\u0308ste und Gäste', 'gaste', ['Ga\u0308ste', 'Gäste']],
    ['anan anana', 'anan', ['anan', 'anan']],
    ['abcdef', 'abc cde', ['abcde']],
    ['Donau\u00addampf', 'donaudampf', ['Donau\u00addampf']],
    ['Gemuese und Gemüse', 'gemuese', ['Gemuese', 'Gemüse']],
    ['nothing', 'else', []],
  ])('finds in %j the parts of %j', (original, query, expected) => {
    const ranges = findMatches(original, parseSearchQuery(query));
    expect(ranges.map(({ start, end }) => original.slice(start, end))).toEqual(expected);
  });

  test('returns ascending ranges whose folded text contains a word', () => {
    fc.assert(
      fc.property(text, fc.nat(50), fc.integer({ min: 1, max: 8 }), (original, start, length) => {
        const words = parseSearchQuery(sliceCharacters(foldText(original), start, length));
        const ranges = findMatches(original, words);
        expect(ranges.length > 0).toBe(words.length > 0);
        ranges.forEach((range, i) => {
          expect(range.start).toBeGreaterThan(ranges[i - 1]?.end ?? -1);
          expect(range.end).toBeGreaterThan(range.start);
          const part = foldText(original.slice(range.start, range.end));
          expect(words.flat().some((word) => part.includes(word))).toBe(true);
        });
      }),
    );
  });
});

describe('createExcerpt', () => {
  test('shows a short text as a whole, on one line', () => {
    expect(createExcerpt('one\ntwo', parseSearchQuery('two'))).toEqual({
      text: 'one two',
      ranges: [{ start: 4, end: 7 }],
    });
  });

  test('shows a long text around the first word', () => {
    const long = `${'before '.repeat(50)}needle ${'after '.repeat(50)}`;
    const { text: shown, ranges } = createExcerpt(long, parseSearchQuery('needle'));
    expect(shown).toMatch(/^…(?:before )+needle (?:after )+after…$/);
    expect(shown.length).toBeLessThanOrEqual(160);
    expect(ranges.map(({ start, end }) => shown.slice(start, end))).toEqual(['needle']);
  });

  test('keeps the limit and whole characters, and marks the words', () => {
    fc.assert(
      fc.property(text, fc.nat(60), fc.integer({ min: 12, max: 40 }), (original, start, max) => {
        const words = parseSearchQuery(sliceCharacters(foldText(original), start, 4));
        const { text: shown, ranges } = createExcerpt(original, words, max);
        expect(Array.from(shown).length).toBeLessThanOrEqual(max);
        if (original.isWellFormed()) expect(shown.isWellFormed()).toBe(true);
        for (const range of ranges) expect(range.end).toBeGreaterThan(range.start);
        if (words.length > 0) expect(ranges.length).toBeGreaterThan(0);
      }),
    );
  });

  test('marks all words that it shows of a long text', () => {
    const long = `${'before '.repeat(50)}${'Nädel and needle '.repeat(500)}`;
    const { text: shown, ranges } = createExcerpt(long, parseSearchQuery('needle nadel'));
    expect(ranges.map(({ start, end }) => shown.slice(start, end))).toEqual(
      shown.match(/N.del|needle/gu),
    );
    expect(ranges.length).toBeGreaterThan(10);
  });

  test('shows the start of a text without words', () => {
    const long = 'ä '.repeat(5_000);
    expect(createExcerpt(long, [])).toEqual({ text: `${'ä '.repeat(78)}ä…`, ranges: [] });
  });

  test('marks the words at the start of a long text', () => {
    const words = parseSearchQuery('ab ba aba bab abab baba ababa babab ababab bababa');
    expect(createExcerpt('ab'.repeat(5_000), words).ranges).toEqual([{ start: 0, end: 158 }]);
  });
});
