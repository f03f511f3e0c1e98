import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClockTrust } from './clock-trust.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2027, 0);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: START }));
afterEach(() => void vi.useRealTimers());

/** Changes the clock without time passing. */
const putForward = (by: number) => vi.setSystemTime(Date.now() + by);
const pass = (ms: number) => vi.advanceTimersByTime(ms);
const readUptime = () => performance.now();

test('trusts no clock for a day that was put forward by more than an hour', () => {
  const onPutForward = vi.fn<(by: number) => void>();
  const { isTrusted } = createClockTrust(onPutForward, readUptime);
  expect(isTrusted()).toBe(true);
  putForward(300 * DAY);
  expect(isTrusted()).toBe(false);
  pass(DAY - HOUR);
  expect(isTrusted()).toBe(false);
  putForward(2 * HOUR);
  expect(isTrusted()).toBe(false);
  pass(DAY - HOUR);
  expect(isTrusted()).toBe(false);
  pass(HOUR);
  expect(isTrusted()).toBe(true);
  expect(onPutForward.mock.calls).toEqual([[300 * DAY], [2 * HOUR]]);
});

test('trusts a clock after the sleep of a machine, and one that is put back', () => {
  const { isTrusted } = createClockTrust(() => expect.fail(), readUptime);
  pass(40 * DAY);
  expect(isTrusted()).toBe(true);
  putForward(HOUR);
  expect(isTrusted()).toBe(true);
  putForward(-40 * DAY);
  expect(isTrusted()).toBe(true);
});

test('trusts a clock at once that was certainly behind before', () => {
  vi.setSystemTime(Date.UTC(1970, 0, 2));
  const { isTrusted } = createClockTrust(() => expect.fail(), readUptime);
  expect(isTrusted()).toBe(true);
  vi.setSystemTime(START);
  expect(isTrusted()).toBe(true);
});
