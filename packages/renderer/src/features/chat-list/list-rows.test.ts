import type { ListedChat } from '@parley/client';
import { expect, test } from 'vitest';
import { createChat } from '../../../test/create-chat.ts';
import { buildListRows } from './list-rows.ts';

function keysOf(requests: number, accepted: number, showsAll = false): string[] {
  const chats = [
    ...Array.from({ length: accepted }, (_, i) => createChat(`c${i}`)),
    ...Array.from({ length: requests }, (_, i) => createChat(`r${i}`, { isRequest: true })),
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

test('the chat list ends with a section of archived chats, which is closed at first', () => {
  const archived: ListedChat = { ...createChat('old'), isArchived: true };
  const chats = [archived, createChat('c0'), createChat('r0', { isRequest: true })];
  const keys = (showsArchived: boolean) =>
    buildListRows(chats, false, showsArchived).map(({ key }) => key);
  expect(keys(false)).toEqual(['requests', 'r0', 'chats', 'c0', 'archive']);
  expect(keys(true)).toEqual(['requests', 'r0', 'chats', 'c0', 'archive', 'old']);
  expect(buildListRows([archived], false)).toEqual([{ type: 'archive', key: 'archive', total: 1 }]);
});
