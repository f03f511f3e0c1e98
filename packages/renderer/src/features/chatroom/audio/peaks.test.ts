import { LIMITS } from '@parley/contract';
import { expect, test } from 'vitest';
import { BAR_COUNT, peaksOf } from './peaks.ts';

test('shows the loudest moment of each part against the loudest of all', () => {
  const levels = Array.from({ length: BAR_COUNT * 3 }, (_, index) => (index === 4 ? 0.5 : 0.1));
  const peaks = peaksOf(levels);
  expect(peaks.slice(0, 3)).toEqual([20, 100, 20]);
  expect(new Set(peaks.slice(2))).toEqual(new Set([20]));
});

test('has as many bars as the server takes, however short or long the recording is', () => {
  for (const count of [0, 1, 7, BAR_COUNT, 14_850]) {
    const peaks = peaksOf(Array.from({ length: count }, () => 0.3));
    expect(peaks).toHaveLength(BAR_COUNT);
    expect(peaks.every((peak) => peak >= 0 && peak <= LIMITS.peakMax)).toBe(true);
  }
  expect(BAR_COUNT).toBeLessThanOrEqual(LIMITS.peaksMax);
});

test('leaves silence flat', () => {
  expect(new Set(peaksOf(Array.from({ length: 100 }, () => 0)))).toEqual(new Set([0]));
});
