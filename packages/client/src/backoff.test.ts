import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';

test('the delay doubles with each failure up to the maximum', () => {
  const backoff = createBackoff(1_000, 5_000);
  const delays = Array.from({ length: 5 }, () => backoff.next());
  expect(delays).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
});

test('reading the current delay does not change it', () => {
  const backoff = createBackoff(1_000, 5_000);
  backoff.next();
  expect([backoff.current(), backoff.current(), backoff.next()]).toEqual([2_000, 2_000, 2_000]);
});

test('the delay starts at the minimum again after a reset', () => {
  const backoff = createBackoff(1_000, 5_000);
  backoff.next();
  backoff.next();
  backoff.reset();
  expect([backoff.next(), backoff.next()]).toEqual([1_000, 2_000]);
});
