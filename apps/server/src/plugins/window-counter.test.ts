import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWindowCounter } from './window-counter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('rejects consumption above the limit until the window ends', () => {
  const counter = createWindowCounter(2, 60);
  expect(counter.consume('a')).toBeUndefined();
  vi.advanceTimersByTime(20_000);
  expect(counter.consume('a')).toBeUndefined();
  expect(counter.consume('a')).toBe(40);
  expect(counter.consume('b')).toBeUndefined();
  vi.advanceTimersByTime(39_000);
  expect(counter.consume('a')).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(counter.consume('a')).toBeUndefined();
});

test('counts by cost and allows any single cost at the start of a window', () => {
  const counter = createWindowCounter(10, 60);
  expect(counter.consume('a', 8)).toBeUndefined();
  expect(counter.consume('a', 3)).toBe(60);
  expect(counter.consume('a', 2)).toBeUndefined();
  expect(counter.consume('b', 1_000)).toBeUndefined();
  expect(counter.consume('b')).toBe(60);
});

test('refunds at most what was consumed', () => {
  const counter = createWindowCounter(1, 60);
  counter.consume('a');
  expect(counter.consume('a')).toBe(60);
  counter.refund('a');
  counter.refund('a');
  counter.refund('unknown');
  expect(counter.consume('a')).toBeUndefined();
  expect(counter.consume('a')).toBe(60);
});

test('never evicts a subject at the limit in favor of other subjects', () => {
  const counter = createWindowCounter(2, 60, 100);
  counter.consume('guesser');
  counter.consume('guesser');
  for (let i = 0; i < 10_000; i += 1) counter.consume(`other ${i}`);
  expect(counter.consume('guesser')).toBe(60);
});

test('forgets the oldest subjects at capacity, except for those at the limit', () => {
  const counter = createWindowCounter(2, 60, 100);
  for (let i = 0; i < 101; i += 1) counter.consume(`below ${i}`);
  counter.consume('below 0');
  expect(counter.consume('below 0')).toBeUndefined();
  counter.consume('below 100');
  expect(counter.consume('below 100')).toBe(60);
});
