import { expect, test } from 'vitest';
import { describeLastSeen } from './last-seen.ts';

const NOW = new Date(2025, 2, 5, 14, 30, 20);
const shown = (time: Date, now = NOW) => describeLastSeen(time.toISOString(), now);

test.each([
  ['in the future', new Date(2025, 2, 5, 15), { kind: 'now' }],
  ['in this minute', new Date(2025, 2, 5, 14, 30), { kind: 'now' }],
  ['a minute ago', new Date(2025, 2, 5, 14, 29), { kind: 'minutes', minutes: 1 }],
  ['just within the hour', new Date(2025, 2, 5, 13, 31), { kind: 'minutes', minutes: 59 }],
  ['over an hour ago', new Date(2025, 2, 5, 13, 30), { kind: 'today' }],
  ['at midnight', new Date(2025, 2, 5), { kind: 'today' }],
  ['just before midnight', new Date(2025, 2, 4, 23, 59), { kind: 'yesterday' }],
  ['at the start of yesterday', new Date(2025, 2, 4), { kind: 'yesterday' }],
  ['before yesterday', new Date(2025, 2, 3, 23, 59), { kind: 'earlier' }],
])('describes a time %s', (_name, time, expected) => {
  expect(shown(time)).toEqual(expected);
});

test('counts minutes past midnight', () => {
  const now = new Date(2025, 2, 5, 0, 10);
  expect(shown(new Date(2025, 2, 4, 23, 50), now)).toEqual({ kind: 'minutes', minutes: 20 });
});
