import { expect, test } from 'vitest';
import { rangesWithin } from './chatroom-highlights.ts';

test('returns the ranges within a part of a text, relative to its start', () => {
  const ranges = [
    { start: 0, end: 2 },
    { start: 4, end: 8 },
    { start: 9, end: 12 },
  ];
  expect(rangesWithin(ranges, 0, 12)).toEqual(ranges);
  expect(rangesWithin(ranges, 5, 10)).toEqual([
    { start: 0, end: 3 },
    { start: 4, end: 5 },
  ]);
  expect(rangesWithin(ranges, 2, 4)).toEqual([]);
  expect(rangesWithin([], 0, 5)).toEqual([]);
});
