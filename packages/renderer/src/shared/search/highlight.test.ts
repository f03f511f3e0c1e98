import { expect, test } from 'vitest';
import { splitMatches } from './highlight.ts';

const split = (text: string, ...ranges: readonly (readonly [number, number])[]): string =>
  splitMatches(
    text,
    ranges.map(([start, end]) => ({ start, end })),
  )
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('|');

test('splits a text at what was found', () => {
  expect(split('Donaudampfschifffahrt', [10, 16])).toBe('Donaudampf|[schiff]|fahrt');
  expect(split('schiff und schiff', [0, 6], [11, 17])).toBe('[schiff]| und |[schiff]');
  expect(split('nothing')).toBe('nothing');
  expect(split('')).toBe('');
});

test('does not split a custom emoji', () => {
  expect(split('a :circassia: b', [3, 7])).toBe('a |[:circassia:]| b');
  expect(split(':circassia: circ', [1, 5], [12, 16])).toBe('[:circassia:]| |[circ]');
  expect(split(':circassia:', [1, 3], [5, 7])).toBe('[:circassia:]');
});
