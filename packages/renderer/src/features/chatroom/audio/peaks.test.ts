import { LIMITS } from '@parley/contract';
import { expect, test } from 'vitest';
import { BAR_COUNT, computePeaks } from './peaks.ts';

test('returns the peak of each part relative to the overall peak', () => {
  const levels = Array.from({ length: BAR_COUNT * 3 }, (_, index) => (index === 4 ? 0.5 : 0.1));
  const peaks = computePeaks(levels);
  expect(peaks.slice(0, 3)).toEqual([20, 100, 20]);
  expect(new Set(peaks.slice(2))).toEqual(new Set([20]));
});

test('returns a number of bars that the server accepts, regardless of the duration', () => {
  for (const count of [0, 1, 7, BAR_COUNT, 14_850]) {
    const peaks = computePeaks(Array.from({ length: count }, () => 0.3));
    expect(peaks).toHaveLength(BAR_COUNT);
    expect(peaks.every((peak) => peak >= 0 && peak <= LIMITS.peakMax)).toBe(true);
  }
  expect(BAR_COUNT).toBeLessThanOrEqual(LIMITS.peaksMax);
});

test('returns zeros for silence', () => {
  expect(new Set(computePeaks(Array.from({ length: 100 }, () => 0)))).toEqual(new Set([0]));
});
