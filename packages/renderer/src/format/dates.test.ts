import { describe, expect, it } from 'vitest';
import { dayKey, formatDay, formatDuration, formatFull, formatTime, formatWhen } from './dates.ts';

// Local time.
const now = new Date(2025, 2, 20, 9, 0);
const at = (...parts: [number, number, number, number, number]): string =>
  new Date(...parts).toISOString();
const plain = (text: string): string => text.replaceAll('\u00A0', ' ');

describe('formatWhen', () => {
  it('shows only the time for today, in the 12-hour format in English and the 24-hour format in German', () => {
    expect(plain(formatWhen(at(2025, 2, 20, 15, 5), 'en', now))).toBe('3:05 PM');
    expect(formatWhen(at(2025, 2, 20, 15, 5), 'de', now)).toBe('15:05');
    expect(plain(formatWhen(at(2025, 2, 20, 0, 0), 'en', now))).toBe('12:00 AM');
    expect(formatWhen(at(2025, 2, 20, 0, 0), 'de', now)).toBe('00:00');
  });

  it('shows "Yesterday" for the previous day, even a minute before midnight', () => {
    expect(plain(formatWhen(at(2025, 2, 19, 23, 59), 'en', now))).toBe('Yesterday 11:59 PM');
    expect(formatWhen(at(2025, 2, 19, 0, 0), 'de', now)).toBe('Gestern 00:00');
  });

  it('shows the day, short month, year and time for all other days', () => {
    expect(plain(formatWhen(at(2025, 2, 5, 15, 5), 'en', now))).toBe('5 Mar 2025, 3:05 PM');
    expect(formatWhen(at(2024, 9, 5, 15, 5), 'de', now)).toBe('5. Okt. 2024, 15:05');
    expect(plain(formatWhen(at(2025, 2, 21, 8, 0), 'en', now))).toBe('21 Mar 2025, 8:00 AM');
  });

  it('counts a day with a change to daylight saving time as one day', () => {
    const monday = new Date(2025, 2, 31, 0, 30);
    expect(formatWhen(at(2025, 2, 30, 0, 10), 'de', monday)).toBe('Gestern 00:10');
  });

  it('returns an empty string for invalid dates', () => {
    expect(formatWhen('soon', 'en', now)).toBe('');
    expect(formatTime('', 'de')).toBe('');
  });
});

describe('formatDay', () => {
  it('shows "Today" and "Yesterday", and the year only if it is not the current one', () => {
    expect(formatDay(at(2025, 2, 20, 1, 0), 'en', now)).toBe('Today');
    expect(formatDay(at(2025, 2, 20, 1, 0), 'de', now)).toBe('Heute');
    expect(formatDay(at(2025, 2, 19, 1, 0), 'de', now)).toBe('Gestern');
    expect(formatDay(at(2025, 2, 5, 1, 0), 'de', now)).toBe('Mittwoch, 5. März');
    expect(formatDay(at(2024, 2, 5, 1, 0), 'en', now)).toMatch(/5 March 2024/);
  });
});

describe('the other date functions', () => {
  it('format the full date, return equal keys within a day and format durations', () => {
    expect(plain(formatFull(at(2025, 2, 5, 15, 5), 'en'))).toMatch(/5 March 2025, 3:05 PM/);
    expect(dayKey(at(2025, 2, 5, 0, 0))).toBe(dayKey(at(2025, 2, 5, 23, 59)));
    expect(dayKey(at(2025, 2, 5, 0, 0))).not.toBe(dayKey(at(2025, 2, 6, 0, 0)));
    expect([0, 9.9, 61, 3_725, Number.NaN, Infinity, -3].map(formatDuration)).toEqual([
      '0:00',
      '0:09',
      '1:01',
      '1:02:05',
      '0:00',
      '0:00',
      '0:00',
    ]);
  });
});
