import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWindowCounter, type WindowCounter } from './window-counter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Consumes a cost. Returns the seconds after which it may be repeated, if it is rejected. */
const consume = (counter: WindowCounter, subject: string, cost?: number): number | undefined =>
  counter.consume(subject, cost).retryAfter;

/** Consumes a cost that is not rejected. Returns what changes it. */
function reserve(counter: WindowCounter, subject: string, cost?: number): (cost: number) => void {
  const consumption = counter.consume(subject, cost);
  if (consumption.retryAfter !== undefined) throw new Error('the cost was rejected');
  return consumption.settle;
}

test('rejects consumption above the limit until the window ends', () => {
  const counter = createWindowCounter(2, 60);
  expect(consume(counter, 'a')).toBeUndefined();
  vi.advanceTimersByTime(20_000);
  expect(consume(counter, 'a')).toBeUndefined();
  expect(consume(counter, 'a')).toBe(40);
  expect(consume(counter, 'b')).toBeUndefined();
  vi.advanceTimersByTime(39_000);
  expect(consume(counter, 'a')).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(consume(counter, 'a')).toBeUndefined();
});

test('does not depend on the clock of the machine', () => {
  const counter = createWindowCounter(1, 60);
  consume(counter, 'a');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(consume(counter, 'a')).toBe(60);
  vi.advanceTimersByTime(60_000);
  expect(consume(counter, 'a')).toBeUndefined();
});

test('counts by cost and allows any single cost at the start of a window', () => {
  const counter = createWindowCounter(10, 60);
  expect(consume(counter, 'a', 8)).toBeUndefined();
  expect(consume(counter, 'a', 3)).toBe(60);
  expect(consume(counter, 'a', 2)).toBeUndefined();
  expect(consume(counter, 'b', 1_000)).toBeUndefined();
  expect(consume(counter, 'b')).toBe(60);
});

test('refunds at most what was consumed', () => {
  const counter = createWindowCounter(1, 60);
  const settle = reserve(counter, 'a');
  expect(consume(counter, 'a')).toBe(60);
  settle(0);
  settle(0);
  expect(consume(counter, 'a')).toBeUndefined();
  expect(consume(counter, 'a')).toBe(60);
});

test('replaces a cost by a lower or higher one, also above the limit', () => {
  const counter = createWindowCounter(10, 60);
  reserve(counter, 'a', 8)(1);
  const settle = reserve(counter, 'a', 9);
  settle(0);
  expect(consume(counter, 'a', 9)).toBeUndefined();
  settle(30);
  const refund = reserve(counter, 'b', 1_000);
  refund(3);
  expect(consume(counter, 'b', 8)).toBe(60);
  expect(consume(counter, 'b', 7)).toBeUndefined();
  expect(consume(counter, 'a')).toBe(60);
  settle(10);
  expect(consume(counter, 'a')).toBe(60);
  vi.advanceTimersByTime(60_000);
  expect(consume(counter, 'a', 10)).toBeUndefined();
});

test('settles a cost of the window before without a refund in the next one', () => {
  const counter = createWindowCounter(10, 60);
  const settlements = ['a', 'b', 'c'].map((subject) => reserve(counter, subject, 8));
  vi.advanceTimersByTime(60_000);
  expect(consume(counter, 'a', 10)).toBeUndefined();
  expect(consume(counter, 'b', 4)).toBeUndefined();
  settlements[0]?.(0);
  expect(consume(counter, 'a')).toBe(60);
  settlements[1]?.(5);
  expect(consume(counter, 'b', 2)).toBe(60);
  expect(consume(counter, 'b', 1)).toBeUndefined();
  // A new window begins with the next use, not with a cost of nothing.
  settlements[2]?.(0);
  vi.advanceTimersByTime(20_000);
  expect(consume(counter, 'c', 10)).toBeUndefined();
  expect(consume(counter, 'c')).toBe(60);
});

test('never evicts a subject at the limit in favor of other subjects', () => {
  const counter = createWindowCounter(2, 60, 100);
  consume(counter, 'guesser');
  consume(counter, 'guesser');
  for (let i = 0; i < 10_000; i += 1) consume(counter, `other ${i}`);
  expect(consume(counter, 'guesser')).toBe(60);
});

test('forgets the oldest subjects at capacity, except for those at the limit', () => {
  const counter = createWindowCounter(2, 60, 100);
  for (let i = 0; i < 101; i += 1) consume(counter, `below ${i}`);
  consume(counter, 'below 0');
  expect(consume(counter, 'below 0')).toBeUndefined();
  consume(counter, 'below 100');
  expect(consume(counter, 'below 100')).toBe(60);
});
