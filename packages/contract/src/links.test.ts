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

test.each([
  ['x'.repeat(100) + '@c.example', 36],
  ['a@b.example@c.example', 0],
  ['.me@c.example', 0],
  ['\u{20000}'.repeat(70) + '@c.example', 12],
  ['a@b c@d.example', 4],
])('an address has at most 64 characters before its @: %s', (text, start) => {
  expect(findLinks(text)[0]).toMatchObject({ start });
});

/** What looks like a link, in one expression. It takes too long for long texts. */
const WHOLE =
  /https?:\/\/[^\s<>"\p{Bidi_Control}]+|mailto:[^\s<>"\p{Bidi_Control}]+|www\.[^\s<>".\p{Bidi_Control}]{1,63}\.[^\s<>"\p{Bidi_Control}]+|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu;

test('the first of overlapping URLs and addresses is a link', () => {
  const texts = 'http:// HTTPS:// www. mailto: @ . - a é \u{20000} b.example < /'.split(' ');
  const part = fc.constantFrom(...texts, ' ', 'x'.repeat(63));
  const text = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (value) => {
      const expected = [...value.matchAll(WHOLE)].flatMap((match) =>
        // Some are no valid links.
        findLinks(match[0]).map(({ start }) => match.index + start),
      );
      expect(findLinks(value).map(({ start }) => start)).toEqual(expected);
    }),
  );
});
