import { expect, test } from 'vitest';
import { isTimeZone, isWithinHours, quietnessAt } from './quiet-hours.ts';

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };

test.each([
  // Berlin is one hour ahead of UTC in winter and two in summer.
  [night, '2026-01-10T20:59:59.999Z', false],
  [night, '2026-01-10T21:00:00.000Z', true],
  [night, '2026-01-10T23:30:00.000Z', true],
  [night, '2026-01-11T05:59:59.999Z', true],
  [night, '2026-01-11T06:00:00.000Z', false],
  [night, '2026-07-10T19:59:59.999Z', false],
  [night, '2026-07-10T20:00:00.000Z', true],
  [night, '2026-07-11T05:00:00.000Z', false],
  // The night in which 02:00 to 03:00 is skipped still ends at 07:00 local time.
  [night, '2026-03-29T04:59:00.000Z', true],
  [night, '2026-03-29T05:00:00.000Z', false],
  [{ ...night, from: '13:00', to: '14:30' }, '2026-01-10T12:00:00.000Z', true],
  [{ ...night, from: '13:00', to: '14:30' }, '2026-01-10T13:30:00.000Z', false],
  [{ ...night, from: '13:00', to: '14:30' }, '2026-01-10T23:00:00.000Z', false],
  [{ ...night, from: '00:00', to: '00:00' }, '2026-01-10T12:00:00.000Z', true],
  [{ ...night, from: '00:00', to: '06:00' }, '2026-01-09T23:00:00.000Z', true],
  [{ ...night, timeZone: 'America/New_York' }, '2026-01-10T03:00:00.000Z', true],
  [{ ...night, timeZone: 'Asia/Kathmandu' }, '2026-01-10T16:15:00.000Z', true],
  [{ ...night, timeZone: 'Asia/Kathmandu' }, '2026-01-10T16:14:00.000Z', false],
  [{ ...night, timeZone: 'Mars/Olympus' }, '2026-01-10T22:30:00.000Z', true],
])('tells whether hours %j contain %s', (hours, time, isWithin) => {
  expect(isWithinHours(hours, Date.parse(time))).toBe(isWithin);
});

test('silences everything during a pause, and sounds only if the user wants that of quiet hours', () => {
  const now = Date.parse('2026-01-10T23:00:00.000Z');
  const pausedUntil = new Date(now + 1).toISOString();
  const quietHours = { ...night, isOnlySound: true };
  expect(quietnessAt({ quietHours: null, pausedUntil: null }, now)).toBe('off');
  expect(quietnessAt({ quietHours, pausedUntil: null }, now)).toBe('sound');
  const all = { ...quietHours, isOnlySound: false };
  expect(quietnessAt({ quietHours: all, pausedUntil: null }, now)).toBe('all');
  expect(quietnessAt({ quietHours, pausedUntil }, now)).toBe('all');
  expect(quietnessAt({ quietHours, pausedUntil }, now + 1)).toBe('sound');
});

test('knows time zones by their IANA names', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
