import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWindowCounter } from './window-counter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('refuses what exceeds the bound until the window of the first use ends', () => {
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

test('counts by cost, and lets the dearest through where nothing is used yet', () => {
  const counter = createWindowCounter(10, 60);
  expect(counter.consume('a', 8)).toBeUndefined();
  expect(counter.consume('a', 3)).toBe(60);
  expect(counter.consume('a', 2)).toBeUndefined();
  expect(counter.consume('b', 1_000)).toBeUndefined();
  expect(counter.consume('b')).toBe(60);
});

test('gives back what was refunded, and never more than was used', () => {
  const counter = createWindowCounter(1, 60);
  counter.consume('a');
  expect(counter.consume('a')).toBe(60);
  counter.refund('a');
  counter.refund('a');
  counter.refund('unknown');
  expect(counter.consume('a')).toBeUndefined();
  expect(counter.consume('a')).toBe(60);
});

test('other subjects, however many, cannot push out one that is at its bound', () => {
  const counter = createWindowCounter(2, 60, 100);
  counter.consume('guesser');
  counter.consume('guesser');
  for (let i = 0; i < 10_000; i += 1) counter.consume(`other ${i}`);
  expect(counter.consume('guesser')).toBe(60);
});

test('forgets the subjects that began first once it is full, those at their bound apart', () => {
  const counter = createWindowCounter(2, 60, 100);
  for (let i = 0; i < 101; i += 1) counter.consume(`below ${i}`);
  counter.consume('below 0');
  expect(counter.consume('below 0')).toBeUndefined();
  counter.consume('below 100');
  expect(counter.consume('below 100')).toBe(60);
});
