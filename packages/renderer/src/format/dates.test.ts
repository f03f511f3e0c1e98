import { afterEach, describe, expect, it } from 'vitest';
import {
  dayKey,
  formatDate,
  formatDay,
  formatDuration,
  formatFull,
  formatInSentence,
  formatTime,
  formatUntil,
  formatWhen,
} from './dates.ts';

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
  });

  it.each([
    ['later today', at(2025, 2, 20, 23, 59)],
    ['tomorrow', at(2025, 2, 21, 23, 59)],
    ['next year', at(2026, 2, 21, 23, 59)],
  ])('counts a time %s as today, as a clock is wrong', (_, time) => {
    expect(formatWhen(time, 'de', now)).toBe('23:59');
    expect(formatDay(time, 'de', now)).toBe('Heute');
    expect(dayKey(time, now)).toBe(dayKey(at(2025, 2, 20, 0, 0), now));
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

describe('formatInSentence', () => {
  it('puts the day and the time into words', () => {
    const format = (iso: string) => [
      plain(formatInSentence(iso, 'en', now)),
      formatInSentence(iso, 'de', now),
    ];
    expect(format(at(2025, 2, 20, 8, 5))).toEqual(['today at 8:05 AM', 'heute um 08:05']);
    expect(format(at(2025, 2, 19, 15, 37))).toEqual(['yesterday at 3:37 PM', 'gestern um 15:37']);
    expect(format(at(2025, 2, 5, 15, 5))).toEqual([
      'on 5 Mar 2025 at 3:05 PM',
      'am 5. März 2025 um 15:05',
    ]);
    expect(format(at(2025, 2, 21, 0, 5))).toEqual(['today at 12:05 AM', 'heute um 00:05']);
    expect(format('soon')).toEqual(['', '']);
  });
});

describe('formatUntil', () => {
  it('shows the day of a time that is not today', () => {
    expect(formatUntil(at(2025, 2, 20, 15, 5), 'de', now)).toBe('15:05');
    expect(plain(formatUntil(at(2025, 2, 21, 8, 0), 'en', now))).toBe('21 Mar 2025, 8:00 AM');
    expect(formatUntil('soon', 'de', now)).toBe('');
  });
});

describe('in another time zone than before', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it.each([
    ['Europe/Berlin', '05.03.2025 15:05', 'Mittwoch, 5. März'],
    ['Africa/Lagos', '05.03.2025 15:05', 'Mittwoch, 5. März'],
    ['America/New_York', '05.03.2025 09:05', 'Mittwoch, 5. März'],
    ['Pacific/Auckland', '06.03.2025 03:05', 'Donnerstag, 6. März'],
  ])('times and days are those of %s', (name, local, day) => {
    // Creates the formatters in the zone of before.
    formatFull('2025-03-05T14:05:00Z', 'de');
    formatTime('2025-03-05T14:05:00Z', 'de');
    process.env['TZ'] = name;
    const iso = '2025-03-05T14:05:00Z';
    const today = new Date('2025-03-20T12:00:00Z');
    const [date = '', time = ''] = local.split(' ');
    expect(formatTime(iso, 'de')).toBe(time);
    expect(formatDay(iso, 'de', today)).toBe(day);
    expect(formatFull(iso, 'de')).toBe(`${day} 2025, ${time}`);
    expect(formatDate(iso, 'de')).toBe(`${Number(date.slice(0, 2))}. März 2025`);
    // Summer time, which not all of the zones with the same winter time have.
    const summer = { 'Europe/Berlin': '14:05', 'Africa/Lagos': '13:05' }[name];
    if (summer !== undefined) expect(formatTime('2025-07-05T12:05:00Z', 'de')).toBe(summer);
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
    expect(dayKey(at(2025, 2, 5, 0, 0), now)).toBe(dayKey(at(2025, 2, 5, 23, 59), now));
    expect(dayKey(at(2025, 2, 5, 0, 0), now)).not.toBe(dayKey(at(2025, 2, 6, 0, 0), now));
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
