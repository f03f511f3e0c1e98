import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from './deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('items become due once, in the order in which they were started', () => {
  const due: string[] = [];
  const deadlines = new Deadlines<string>(1_000, (item) => due.push(item));
  deadlines.start('a');
  vi.advanceTimersByTime(400);
  deadlines.start('b');
  vi.advanceTimersByTime(599);
  expect(due).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(due).toEqual(['a']);
  vi.advanceTimersByTime(400);
  expect(due).toEqual(['a', 'b']);
  vi.advanceTimersByTime(10_000);
  expect(due).toEqual(['a', 'b']);
  expect(vi.getTimerCount()).toBe(0);
});

test('starting an item again restarts its deadline', () => {
  const due: string[] = [];
  const deadlines = new Deadlines<string>(1_000, (item) => due.push(item));
  deadlines.start('a');
  deadlines.start('b');
  vi.advanceTimersByTime(900);
  deadlines.start('a');
  vi.advanceTimersByTime(200);
  expect(due).toEqual(['b']);
  vi.advanceTimersByTime(900);
  expect(due).toEqual(['b', 'a']);
});

test('a stopped item does not become due, and stopping the last one clears the timer', () => {
  const due: string[] = [];
  const deadlines = new Deadlines<string>(1_000, (item) => due.push(item));
  deadlines.start('a');
  deadlines.start('b');
  deadlines.stop('a');
  deadlines.stop('unknown');
  expect(vi.getTimerCount()).toBe(1);
  deadlines.stop('b');
  expect(vi.getTimerCount()).toBe(0);
  deadlines.start('c');
  vi.advanceTimersByTime(1_000);
  expect(due).toEqual(['c']);
});

test('an item may be started again in its callback', () => {
  let rounds = 0;
  const deadlines = new Deadlines<string>(1_000, (item) => {
    rounds += 1;
    if (rounds < 3) deadlines.start(item);
  });
  deadlines.start('a');
  vi.advanceTimersByTime(10_000);
  expect(rounds).toBe(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('many items that are due at the same time are handled in several turns of the event loop', () => {
  const due: number[] = [];
  const deadlines = new Deadlines<number>(1_000, (item) => due.push(item));
  for (let i = 0; i < 1_000; i++) deadlines.start(i);
  vi.advanceTimersToNextTimer();
  expect(due.length).toBeLessThan(1_000);
  vi.runAllTimers();
  expect(due).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
});
