import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHoldTimer } from './hold-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a press is held after 400 ms, unless it ends before', () => {
  const onHeld = vi.fn<() => void>();
  startHoldTimer(onHeld);
  vi.advanceTimersByTime(399);
  expect(onHeld).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onHeld).toHaveBeenCalledOnce();

  const end = startHoldTimer(onHeld);
  vi.advanceTimersByTime(399);
  end();
  vi.advanceTimersByTime(1_000);
  expect(onHeld).toHaveBeenCalledOnce();
});

test('a short press on a busy page is not held, though timers are due before its end is known', () => {
  const onHeld = vi.fn<() => void>();
  const end = startHoldTimer(onHeld);
  // The page was busy for a second: of the timers that are due, one runs, and then the end of the press.
  vi.setSystemTime(Date.now() + 1_000);
  vi.advanceTimersToNextTimer();
  end();
  vi.advanceTimersByTime(1_000);
  expect(onHeld).not.toHaveBeenCalled();
});
