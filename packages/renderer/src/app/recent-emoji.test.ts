import { beforeEach, expect, test, vi } from 'vitest';
import { addRecentEmoji, claimRecentEmoji, clearRecentEmoji } from './recent-emoji.ts';

const KEY = 'epr_suggested';
let items: Map<string, string>;
const stored = () => JSON.parse(items.get(KEY) ?? '[]') as { unified: string }[];

beforeEach(() => {
  items = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
});

test('puts the last pick first and counts repeated picks', () => {
  addRecentEmoji('1f680', '1f680');
  addRecentEmoji('1f44d-1f3fb', '1f44d');
  addRecentEmoji('1f680', '1f680');
  expect(stored()).toEqual([
    { unified: '1f680', original: '1f680', count: 2 },
    { unified: '1f44d-1f3fb', original: '1f44d', count: 1 },
  ]);
});

test('keeps 14 emoji and removes the oldest', () => {
  for (let i = 0; i < 20; i++) addRecentEmoji(`1f60${i}`, `1f60${i}`);
  expect(stored()).toHaveLength(14);
  expect(stored()[0]?.unified).toBe('1f6019');
});

test('replaces an unreadable record and skips invalid entries', () => {
  items.set(KEY, '{"not": "a list"}');
  addRecentEmoji('1f680', '1f680');
  expect(stored()).toHaveLength(1);
  items.set(KEY, JSON.stringify([null, 5, { unified: '1f44d' }]));
  addRecentEmoji('1f680', '1f680');
  expect(stored().map(({ unified }) => unified)).toEqual(['1f680']);
});

test('keeps recent emoji for the user who picked them, and removes them for another user', () => {
  // Earlier versions did not store the user.
  addRecentEmoji('1f680', '1f680');
  claimRecentEmoji('Ada');
  claimRecentEmoji('Ada');
  expect(stored()).toHaveLength(1);
  claimRecentEmoji('Bob');
  expect(items.has(KEY)).toBe(false);
});

test('removes all recent emoji', () => {
  addRecentEmoji('1f680', '1f680');
  clearRecentEmoji();
  expect(items.has(KEY)).toBe(false);
});
