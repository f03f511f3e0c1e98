import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLinks, findWebLinks, hasWebLink } from './links.ts';

test('finds links with their positions and without punctuation', () => {
  const text = 'See https://a.example/x?y=1, (www.b.example) or me@c.example.';
  const found = findLinks(text);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([
    'https://a.example/x?y=1',
    'www.b.example',
    'me@c.example',
  ]);
  expect(found.map(({ href }) => href)).toEqual([
    'https://a.example/x?y=1',
    'https://www.b.example/',
    'mailto:me@c.example',
  ]);
  expect(findWebLinks(text)).toHaveLength(2);
});

test.each([
  ['mailto:me@c.example?subject=Hi&body=Text&cc=you@c.example', 'mailto:me@c.example'],
  ['mailto:me@bücher.example?bcc=you@c.example', 'mailto:me@b%C3%BCcher.example'],
  ['mailto:me@c.example,you@c.example', undefined],
  ['mailto:me%2Cyou@c.example', undefined],
  ['mailto:?to=me@c.example', undefined],
  ['mailto:me', undefined],
])('links %s to the address only', (text, href) => {
  expect(findLinks(text)[0]?.href).toBe(href);
});

test.each([
  ['https://example.org', true],
  ['HTTP://EXAMPLE.ORG', true],
  ['www.example.org', true],
  ['me@example.org', false],
  ['mailto:me@example.org', false],
  ['https://user:password@example.org', false],
  ['javascript:alert(1)', false],
  ['example.org', false],
])('in %s, finding a web link is %s', (text, expected) => {
  expect(hasWebLink(text)).toBe(expected);
});

/** Returns the parts of a text that are links. */
const linked = (text: string): string[] =>
  findLinks(text).map(({ start, end }) => text.slice(start, end));

test.each([
  // Quotation marks.
  ['„https://example.com/a“', 'https://example.com/a'],
  ['“https://example.com/a”, she said', 'https://example.com/a'],
  ['‚https://example.com/a‘', 'https://example.com/a'],
  ['‘https://example.com/a’', 'https://example.com/a'],
  ['«https://example.com/a»', 'https://example.com/a'],
  ['»https://example.com/a«', 'https://example.com/a'],
  ['‹https://example.com/a›', 'https://example.com/a'],
  ['「https://example.com/a」です', 'https://example.com/a'],
  ['『https://example.com/a』', 'https://example.com/a'],
  ["'https://example.com/a'", 'https://example.com/a'],
  ['`https://example.com/a`', 'https://example.com/a'],
  // Brackets.
  ['{https://example.com/a}', 'https://example.com/a'],
  ['https://api.example.com/users/{id}', 'https://api.example.com/users/{id}'],
  ['（https://example.com/a）', 'https://example.com/a'],
  ['【https://example.com/a】', 'https://example.com/a'],
  ['https://example.com/a（文档）', 'https://example.com/a'],
  ['https://example.com/wiki/Fisch_(Sternbild)', 'https://example.com/wiki/Fisch_(Sternbild)'],
  ['|https://example.com/a|b|', 'https://example.com/a|b'],
  // The ends of sentences and their parts.
  ['见https://example.com/docs，谢谢', 'https://example.com/docs'],
  ['https://example.com/a。', 'https://example.com/a'],
  ['https://example.com/a،ثم', 'https://example.com/a'],
  ['https://example.com/a؟', 'https://example.com/a'],
  ['https://example.com/a۔', 'https://example.com/a'],
  ['https://example.com/a।', 'https://example.com/a'],
  ['https://example.com/a॥', 'https://example.com/a'],
  ['https://example.com/a…', 'https://example.com/a'],
  ['https://example.com/a– ja', 'https://example.com/a'],
  ['https://example.com/a—', 'https://example.com/a'],
  ['https://example.com/Michelson–Morley', 'https://example.com/Michelson–Morley'],
  ['https://example.com/L’Équipe', 'https://example.com/L’Équipe'],
  ['https://example.com/カー・ナビ', 'https://example.com/カー・ナビ'],
  // Words without a space before them.
  ['https://example.comを見て', 'https://example.com'],
  ['https://example.com에서', 'https://example.com'],
  ['https://bücher.example.com/straße', 'https://bücher.example.com/straße'],
  ['https://例え.jp/パス', 'https://例え.jp/パス'],
  ['https://www.i❤.example/a', 'https://www.i❤.example/a'],
  ['awww.example.com', undefined],
  ['看www.example.com', 'www.example.com'],
  // Invisible characters.
  ['https://example.com/a\u200b', 'https://example.com/a'],
  ['https://example.com/a\u2060b', 'https://example.com/a'],
  ['https://example.com/👨‍👩‍👧', 'https://example.com/👨‍👩‍👧'],
  // What ASCII punctuation belongs to.
  ['https://example.com/watch_', 'https://example.com/watch_'],
  ['_https://example.com/a_', 'https://example.com/a'],
  ['https://example.com/a-', 'https://example.com/a-'],
  ['https://example.com/web/https://example.org', 'https://example.com/web/https://example.org'],
])('the link in %s is %s', (text, link) => {
  expect(linked(text)).toEqual(link === undefined ? [] : [link]);
});

test('finds several URLs without a space between them', () => {
  const [a, b] = ['https://a.example', 'https://b.example'];
  for (const between of [',', ';', '、', '」「']) expect(linked(a + between + b)).toEqual([a, b]);
  expect(linked(`me@c.example,${b}`)).toEqual(['me@c.example', b]);
});

test.each([
  ["o'brien@example.org", "o'brien@example.org"],
  ['r&d@example.org', 'r&d@example.org'],
  ['o’brien@example.org', undefined],
  ['a!b@example.org', undefined],
  ['list=me@example.org', undefined],
  ['@me@example.org', undefined],
  ['a@b.example@c.example', undefined],
  ['x'.repeat(64) + '@c.example', 'x'.repeat(64) + '@c.example'],
  ['x'.repeat(65) + '@c.example', undefined],
  ['\u{20000}'.repeat(64) + '@c.example', '\u{20000}'.repeat(64) + '@c.example'],
  ['\u{20000}'.repeat(65) + '@c.example', undefined],
  ['me@भारत.भारत', 'me@भारत.भारत'],
  ["'me@example.org'", 'me@example.org'],
  ['‘me@example.org’', 'me@example.org'],
  ['…or ...me@example.org.', 'me@example.org'],
  ['*me@example.org*', 'me@example.org'],
  ['{me@example.org}', 'me@example.org'],
  ['me@example.org-Adresse', 'me@example.org'],
  ['me@example.orgへ', 'me@example.org'],
  ['a@b c@d.example', 'c@d.example'],
])('the address in %s is linked as a whole or not at all: %s', (text, link) => {
  expect(linked(text)).toEqual(link === undefined ? [] : [link]);
});

test('an address with an ampersand is linked with it', () => {
  for (const text of ['r&d@example.org', 'mailto:r&d@example.org']) {
    expect(findLinks(text)[0]?.href).toBe('mailto:r%26d@example.org');
  }
});

test('links do not overlap, and each is a link without the text around it', () => {
  const texts =
    'http:// HTTPS:// www. mailto: @ . - , _ a é 日 \u{20000} b.example < / ( ) ’ “'.split(' ');
  const part = fc.constantFrom(...texts, ' ', 'x'.repeat(63));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let end = 0;
      for (const link of findLinks(text)) {
        expect(link.start).toBeGreaterThanOrEqual(end);
        ({ end } = link);
        const alone = { start: 0, end: end - link.start, href: link.href };
        expect(findLinks(text.slice(link.start, end))).toEqual([alone]);
      }
    }),
    { numRuns: 300 },
  );
});
