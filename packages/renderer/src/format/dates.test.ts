import { describe, expect, it } from 'vitest';
import { dayKey, formatDay, formatDuration, formatFull, formatTime, formatWhen } from './dates.ts';

// Local time, as readers see it.
const now = new Date(2025, 2, 20, 9, 0);
const at = (...parts: [number, number, number, number, number]): string =>
  new Date(...parts).toISOString();
const plain = (text: string): string => text.replaceAll('\u00A0', ' ');

describe('formatWhen', () => {
  it('shows the time alone today, on twelve hours in English and twenty-four in German', () => {
    expect(plain(formatWhen(at(2025, 2, 20, 15, 5), 'en', now))).toBe('3:05 PM');
    expect(formatWhen(at(2025, 2, 20, 15, 5), 'de', now)).toBe('15:05');
    expect(plain(formatWhen(at(2025, 2, 20, 0, 0), 'en', now))).toBe('12:00 AM');
    expect(formatWhen(at(2025, 2, 20, 0, 0), 'de', now)).toBe('00:00');
  });

  it('says yesterday, even a minute before midnight', () => {
    expect(plain(formatWhen(at(2025, 2, 19, 23, 59), 'en', now))).toBe('Yesterday 11:59 PM');
    expect(formatWhen(at(2025, 2, 19, 0, 0), 'de', now)).toBe('Gestern 00:00');
  });

  it('shows day, short month, year and time for anything else, tomorrow included', () => {
    expect(plain(formatWhen(at(2025, 2, 5, 15, 5), 'en', now))).toBe('5 Mar 2025, 3:05 PM');
    expect(formatWhen(at(2024, 9, 5, 15, 5), 'de', now)).toBe('5. Okt. 2024, 15:05');
    expect(plain(formatWhen(at(2025, 2, 21, 8, 0), 'en', now))).toBe('21 Mar 2025, 8:00 AM');
  });

  it('counts a day across the change to summer time as one', () => {
    const monday = new Date(2025, 2, 31, 0, 30);
    expect(formatWhen(at(2025, 2, 30, 0, 10), 'de', monday)).toBe('Gestern 00:10');
  });

  it('is empty for what is no date', () => {
    expect(formatWhen('soon', 'en', now)).toBe('');
    expect(formatTime('', 'de')).toBe('');
  });
});

describe('formatDay', () => {
  it('names today and yesterday, and the year only if it is another', () => {
    expect(formatDay(at(2025, 2, 20, 1, 0), 'en', now)).toBe('Today');
    expect(formatDay(at(2025, 2, 20, 1, 0), 'de', now)).toBe('Heute');
    expect(formatDay(at(2025, 2, 19, 1, 0), 'de', now)).toBe('Gestern');
    expect(formatDay(at(2025, 2, 5, 1, 0), 'de', now)).toBe('Mittwoch, 5. März');
    expect(formatDay(at(2024, 2, 5, 1, 0), 'en', now)).toMatch(/5 March 2024/);
  });
});

describe('the others', () => {
  it('give the full date, equal keys within a day, and lengths of time', () => {
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
