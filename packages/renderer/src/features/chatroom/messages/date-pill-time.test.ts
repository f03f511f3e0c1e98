import type { Message } from '@parley/contract';
import { expect, test } from 'vitest';
import { findDatePillTime } from './date-pill-time.ts';
import { buildTimeline } from './timeline.ts';

const HEIGHT = 100;

const rows = buildTimeline({
  messages: Array.from({ length: 30 }, (_, index): Message => {
    const time = new Date(2026, 2, 1 + Math.floor(index / 10), 9, index % 10).toISOString();
    return {
      _id: `id-${index}`,
      chatroom: 'room',
      content: 'Hello',
      sender: { username: 'bob' },
      createdAt: time,
      updatedAt: time,
      seq: index + 1,
      rev: index + 1,
      kind: 'text',
    };
  }),
  entries: [],
  currentUsername: 'ada',
  hasMore: false,
  firstUnreadSeq: undefined,
  today: new Date(2026, 2, 10),
});
const list = {
  findItemIndex: (offset: number) => Math.floor(offset / HEIGHT),
  getItemOffset: (index: number) => index * HEIGHT,
};

function pillDayAt(scrollTop: number): number | undefined {
  const position = { scrollTop, clientHeight: 500, scrollHeight: rows.length * HEIGHT };
  const time = findDatePillTime(position, list, rows);
  return time === undefined ? undefined : new Date(time).getDate();
}

test('the date pill shows the day of the topmost visible message', () => {
  expect(pillDayAt(150)).toBe(1);
  expect(pillDayAt(1_150)).toBe(2);
  expect(pillDayAt(2_150)).toBe(3);
});

test('the date pill is hidden while the separator with the day is at the top', () => {
  expect(pillDayAt(0)).toBeUndefined();
  expect(pillDayAt(60)).toBeUndefined();
  expect(pillDayAt(1_010)).toBeUndefined();
  expect(pillDayAt(1_060)).toBe(2);
});

test('the date pill is hidden at the bottom of the list', () => {
  expect(pillDayAt(2_440)).toBe(3);
  expect(pillDayAt(2_480)).toBeUndefined();
  expect(pillDayAt(2_500)).toBeUndefined();
});
