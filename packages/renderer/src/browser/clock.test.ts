import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock, timeZoneKey, type Clock } from './clock.ts';

const EVENING = new Date(2025, 2, 5, 23, 59, 30);
const MORNING = new Date(2025, 2, 6, 7, 0, 10);

let page: EventTarget & { visibilityState?: string };
let clock: Clock;
let resume: () => void;
let isWatchingResume: boolean;
/** The days that a screen has shown, one after the other. */
let shown: string[];
let unsubscribe: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: EVENING });
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  isWatchingResume = false;
  clock = createClock((listener) => {
    resume = listener;
    isWatchingResume = true;
    return () => {
      isWatchingResume = false;
    };
  });
  shown = [];
  let last: Date | undefined;
  const show = (): void => {
    const today = clock.today();
    if (today === last) return;
    last = today;
    shown.push(today.toDateString());
  };
  show();
  unsubscribe = clock.subscribe(show);
});

afterEach(() => {
  unsubscribe();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the day changes at midnight, and not before', () => {
  vi.advanceTimersByTime(29_999);
  expect(shown).toEqual(['Wed Mar 05 2025']);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(['Wed Mar 05 2025', 'Thu Mar 06 2025']);
  vi.advanceTimersByTime(60 * 60_000);
  expect(shown).toHaveLength(2);
});

describe('after sleep, in which timers stand still', () => {
  test.each([
    ['the page becomes visible', () => page.dispatchEvent(new Event('visibilitychange'))],
    ['the window gets the focus', () => window.dispatchEvent(new Event('focus'))],
    ['the page comes back from the cache', () => window.dispatchEvent(new Event('pageshow'))],
    ['the computer wakes up', () => resume()],
    ['a minute has passed', () => vi.advanceTimersByTime(60_000)],
  ])('the day changes once %s', (_, wake) => {
    vi.setSystemTime(MORNING);
    expect(shown).toHaveLength(1);
    wake();
    expect(shown).toEqual(['Wed Mar 05 2025', 'Thu Mar 06 2025']);
  });
});

test('the day follows a clock that is put back', () => {
  vi.setSystemTime(new Date(2025, 1, 1, 12));
  window.dispatchEvent(new Event('focus'));
  expect(shown.at(-1)).toBe('Sat Feb 01 2025');
});

test('the minute advances once a minute', () => {
  const minutes: number[] = [];
  const stop = clock.subscribe(() => minutes.push(new Date(clock.now()).getMinutes()));
  vi.advanceTimersByTime(3 * 60_000);
  stop();
  expect(minutes).toEqual([0, 1, 2]);
  expect(clock.now() % 60_000).toBe(0);
});

test('another time zone gives another day object, even on the same day', () => {
  const before = clock.today();
  expect(clock.today()).toBe(before);
  const offsets = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-720);
  expect(clock.today()).not.toBe(before);
  offsets.mockRestore();
});

test.each([
  ['Helsinki', 'Europe/Helsinki', 'Asia/Jerusalem'],
  ['New York', 'America/New_York', 'America/Havana'],
  ['Lisbon', 'Europe/Lisbon', 'Atlantic/Canary'],
])('a zone with the offsets of %s gives another day object within a minute', (_, from, to) => {
  vi.stubEnv('TZ', from);
  vi.advanceTimersByTime(60_000);
  const before = clock.today();
  vi.stubEnv('TZ', to);
  vi.advanceTimersByTime(60_000);
  expect(clock.today()).not.toBe(before);
  vi.unstubAllEnvs();
});

test('nothing runs without a listener', () => {
  expect(isWatchingResume).toBe(true);
  unsubscribe();
  expect(isWatchingResume).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
  vi.setSystemTime(MORNING);
  window.dispatchEvent(new Event('focus'));
  expect(shown).toHaveLength(1);
  expect(clock.today().toDateString()).toBe('Thu Mar 06 2025');
});

test('zones differ by their offsets in summer and winter', () => {
  const offsetOf = (winter: number, summer: number) => {
    const offsets = vi.spyOn(Date.prototype, 'getTimezoneOffset');
    offsets.mockImplementation(function offset(this: Date) {
      return this.getMonth() < 6 ? winter : summer;
    });
    const key = timeZoneKey(MORNING);
    offsets.mockRestore();
    return key;
  };
  const keys = [offsetOf(-60, -120), offsetOf(-60, -60), offsetOf(-120, -120), offsetOf(-120, -60)];
  expect(new Set(keys).size).toBe(4);
});
