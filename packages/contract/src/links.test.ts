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
