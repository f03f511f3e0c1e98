import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  addDays,
  addMonths,
  clampDay,
  dayOf,
  findFirstWeekday,
  isSameMonth,
  startOfDay,
  weeksOf,
} from './days.ts';

afterEach(() => vi.restoreAllMocks());

test('moves by days across months, leap days and changes of the clock', () => {
  expect(addDays('2025-12-31', 1)).toBe('2026-01-01');
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
  let day = '2025-01-01';
  for (let i = 0; i < 365; i += 1) day = addDays(day, 1);
  expect(day).toBe('2026-01-01');
});

test('moves by months to the last day of a shorter one', () => {
  expect(addMonths('2025-01-31', 1)).toBe('2025-02-28');
  expect(addMonths('2024-02-29', 12)).toBe('2025-02-28');
  expect(addMonths('2025-01-15', -1)).toBe('2024-12-15');
});

test('a day begins at midnight of the local time zone', () => {
  const start = startOfDay('2025-03-05');
  expect(start).toEqual(new Date(2025, 2, 5));
  expect(dayOf(start)).toBe('2025-03-05');
  expect(dayOf(new Date(start.getTime() - 1))).toBe('2025-03-04');
});

test('keeps a day within a range', () => {
  const range = ['2025-01-01', '2025-03-05'] as const;
  expect(clampDay('2024-12-31', ...range)).toBe('2025-01-01');
  expect(clampDay('2025-03-06', ...range)).toBe('2025-03-05');
  expect(clampDay('2025-02-01', ...range)).toBe('2025-02-01');
});

describe('the weeks of a month', () => {
  test.each([
    ['2025-03-05', 1],
    ['2025-03-05', 0],
    ['2026-02-10', 0],
    ['2024-02-29', 1],
  ])('contain each day of %s once, if weeks begin on weekday %i', (day, firstWeekday) => {
    const weeks = weeksOf(day, firstWeekday);
    const prefix = day.slice(0, 8);
    const length = new Date(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0).getDate();
    expect(weeks.flat().filter((each) => isSameMonth(each, day))).toEqual(
      Array.from({ length }, (_, index) => `${prefix}${String(index + 1).padStart(2, '0')}`),
    );
    for (const week of weeks) {
      expect(week.some((each) => isSameMonth(each, day))).toBe(true);
      expect(week.map((each) => startOfDay(each).getDay())).toEqual(
        Array.from({ length: 7 }, (_, index) => (firstWeekday + index) % 7),
      );
    }
  });
});

const LOCALES = [
  ['de-DE', 1],
  ['en-GB', 1],
  ['en-US', 0],
  ['de', 1],
  ['en', 0],
] as const;

test.each(LOCALES)('weeks in %s begin on weekday %i', (locale, weekday) => {
  expect(findFirstWeekday(locale)).toBe(weekday);
});

test('browsers that do not know weeks use the region', () => {
  class PlainLocale extends Intl.Locale {
    readonly getWeekInfo = undefined;
    readonly weekInfo = undefined;
  }
  vi.spyOn(Intl, 'Locale').mockImplementation(PlainLocale);
  const found = LOCALES.map(([locale]) => findFirstWeekday(locale));
  expect(found).toEqual(LOCALES.map(([, weekday]) => weekday));
});
