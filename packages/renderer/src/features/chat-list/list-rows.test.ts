import type { Chat } from '@parley/client';
import { expect, test } from 'vitest';
import { buildListRows } from './list-rows.ts';

function createChat(id: string, isRequest: boolean): Chat {
  const chat = { id, names: [id], isDeleted: false, last: null, time: null, activeAt: '' };
  return { ...chat, unread: 0, rev: 1, ...(isRequest && { isRequest }) };
}

function keysOf(requests: number, accepted: number, showsAll = false): string[] {
  const chats = [
    ...Array.from({ length: accepted }, (_, i) => createChat(`c${i}`, false)),
    ...Array.from({ length: requests }, (_, i) => createChat(`r${i}`, true)),
  ];
  return buildListRows(chats, showsAll).map(({ key }) => key);
}

test.each([
  ['no requests', keysOf(0, 2), ['c0', 'c1']],
  ['only requests', keysOf(2, 0), ['requests', 'r0', 'r1']],
  ['three requests', keysOf(3, 1), ['requests', 'r0', 'r1', 'r2', 'chats', 'c0']],
  ['four requests', keysOf(4, 1), ['requests', 'r0', 'r1', 'r2', 'more', 'chats', 'c0']],
  ['all requests', keysOf(4, 0, true), ['requests', 'r0', 'r1', 'r2', 'r3', 'more']],
])('the chat list has sections and a button for more requests: %s', (_, keys, expected) => {
  expect(keys).toEqual(expected);
});
