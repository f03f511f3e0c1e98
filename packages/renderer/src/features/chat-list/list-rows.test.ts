import type { ListedChat } from '@parley/client';
import { expect, test } from 'vitest';
import { createChat } from '../../../test/create-chat.ts';
import { buildListRows } from './list-rows.ts';

const CLOSED = { requests: false, archive: false };

test('quiet requests are one row above the chats, which says how many are unread', () => {
  const chats = [
    createChat('c0'),
    createChat('r0', { status: 'request', unread: 2 }),
    createChat('r1', { status: 'request', unread: 0 }),
  ];
  const keys = (requests: boolean) =>
    buildListRows(chats, { ...CLOSED, requests }).map(({ key }) => key);
  expect(keys(false)).toEqual(['requests', 'c0']);
  expect(keys(true)).toEqual(['requests', 'r0', 'r1', 'c0']);
  expect(buildListRows(chats, CLOSED)[0]).toEqual({
    type: 'requests',
    key: 'requests',
    total: 2,
    unread: 1,
  });
  expect(buildListRows([createChat('c0')], CLOSED)).toMatchObject([{ key: 'c0' }]);
});

test('an undecided chat is in its place among the others', () => {
  const chats = [createChat('c0'), createChat('u0', { status: 'undecided' }), createChat('c1')];
  expect(buildListRows(chats, CLOSED).map(({ key }) => key)).toEqual(['c0', 'u0', 'c1']);
});

test('the chat list ends with a section of archived chats, which is closed at first', () => {
  const archived: ListedChat = { ...createChat('old', { unread: 3 }), isArchived: true };
  const chats = [archived, createChat('c0'), createChat('r0', { status: 'request' })];
  const keys = (archive: boolean) =>
    buildListRows(chats, { ...CLOSED, archive }).map(({ key }) => key);
  expect(keys(false)).toEqual(['requests', 'c0', 'archive']);
  expect(keys(true)).toEqual(['requests', 'c0', 'archive', 'old']);
  expect(buildListRows([archived], CLOSED)).toEqual([
    { type: 'archive', key: 'archive', total: 1, unread: 1 },
  ]);
  const marked: ListedChat = {
    ...createChat('m', { unread: 0 }),
    isArchived: true,
    isMarkedUnread: true,
  };
  const read: ListedChat = { ...createChat('r', { unread: 0 }), isArchived: true };
  expect(buildListRows([archived, marked, read], CLOSED)).toMatchObject([{ total: 3, unread: 2 }]);
});
