import { expect, test } from 'vitest';
import { fill, fillPlural } from './fill.ts';

test('replaces placeholders with values literally', () => {
  expect(fill('{{a}} and {{b}}, {{a}}', { a: '$&', b: '{{a}}' })).toBe('$& and {{a}}, $&');
});

test('keeps placeholders without a value', () => {
  expect(fill('Hello, {{name}}!', {})).toBe('Hello, {{name}}!');
});

test("selects the plural form by the language's rules", () => {
  const texts = { days_one: '{{count}} day', days_other: '{{count}} days' };
  expect([0, 1, 2].map((count) => fillPlural('en', texts, 'days', count))).toEqual([
    '0 days',
    '1 day',
    '2 days',
  ]);
});

test('falls back to the general form if a plural form is missing', () => {
  expect(fillPlural('en', { days_other: '{{count}} d' }, 'days', 1)).toBe('1 d');
});
