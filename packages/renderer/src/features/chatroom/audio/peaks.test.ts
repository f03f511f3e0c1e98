import { expect, test } from 'vitest';
import { barsOf } from './peaks.ts';

test('bars show the loudest moment of each part, against the loudest of all', () => {
  const samples = new Float32Array([0.1, -0.2, 0.5, 0, 0, 0, -0.25, 0.1]);
  expect(barsOf(samples, 4).map((bar) => Number(bar.toFixed(2)))).toEqual([0.4, 1, 0, 0.5]);
});

test('silence and recordings shorter than the drawing stay flat', () => {
  expect(barsOf(new Float32Array(100), 4)).toEqual([0, 0, 0, 0]);
  expect(barsOf(new Float32Array(0), 3)).toEqual([0, 0, 0]);
});
