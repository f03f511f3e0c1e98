import { expect, test } from 'vitest';
import { isWithin } from './is-within.ts';

test.each([
  ['has just happened', 1_000, true],
  ['happened within the duration', 901, true],
  ['happened before', 900, false],
  ['lies in the future', 1_001, false],
  ['has not happened', undefined, false],
])('of what %s', (_, at, expected) => {
  expect(isWithin(at, 100, 1_000)).toBe(expected);
});
