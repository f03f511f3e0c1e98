import { expect, test } from 'vitest';
import { compareChats, type ChatSortKey } from './chat-order.ts';

const sortKey = (id: string, minute: number, isDeleted = false): ChatSortKey => ({
  id,
  isDeleted,
  activeAt: `2025-03-20T09:0${minute}:00.000Z`,
});

test('sorts the newest chat first and deleted accounts last', () => {
  const chats = [sortKey('a', 1), sortKey('b', 9, true), sortKey('c', 3), sortKey('d', 2)];
  expect(chats.toSorted(compareChats).map(({ id }) => id)).toEqual(['c', 'd', 'a', 'b']);
});

test('sorts pinned chats first, by their ranks', () => {
  const pin = (id: string, pinRank: number, isDeleted = false): ChatSortKey => ({
    ...sortKey(id, 1, isDeleted),
    isPinned: true,
    pinRank,
  });
  const chats = [sortKey('a', 9), pin('b', 1), pin('c', 7), pin('d', 1), pin('e', 9, true)];
  const unpinned = { ...sortKey('f', 8), pinRank: 8 };
  const sorted = [...chats, unpinned].toSorted(compareChats);
  expect(sorted.map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a', 'f', 'e']);
});

test('sorts chats with the same time consistently', () => {
  const [a, b] = [sortKey('a', 1), sortKey('b', 1)];
  expect([a, b].toSorted(compareChats)).toEqual([b, a]);
  expect([b, a].toSorted(compareChats)).toEqual([b, a]);
  expect(compareChats(a, { ...a })).toBe(0);
});
