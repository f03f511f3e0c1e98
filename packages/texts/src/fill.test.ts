import { expect, test } from 'vitest';
import { fill, fillPlural } from './fill.ts';

test('values take the place of placeholders, as they are', () => {
  expect(fill('{{a}} and {{b}}, {{a}}', { a: '$&', b: '{{a}}' })).toBe('$& and {{a}}, $&');
});

test('a placeholder without a value stays', () => {
  expect(fill('Hello, {{name}}!', {})).toBe('Hello, {{name}}!');
});

test('the form of a plural follows the language', () => {
  const texts = { days_one: '{{count}} day', days_other: '{{count}} days' };
  expect([0, 1, 2].map((count) => fillPlural('en', texts, 'days', count))).toEqual([
    '0 days',
    '1 day',
    '2 days',
  ]);
});

test('a form that the texts lack gives the general one', () => {
  expect(fillPlural('en', { days_other: '{{count}} d' }, 'days', 1)).toBe('1 d');
});
