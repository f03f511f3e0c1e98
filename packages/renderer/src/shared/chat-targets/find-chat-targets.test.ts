import type { Chat } from '@parley/client';
import { expect, test } from 'vitest';
import { createChat } from '../../../test/create-chat.ts';
import { findChatTargets } from './find-chat-targets.ts';

const idsOf = (chats: readonly Chat[], search: string) =>
  findChatTargets(chats, search).map(({ id }) => id);

test('offers all accepted chats with living partners in their order', () => {
  const chats = [
    createChat('Zoe'),
    createChat('Ada'),
    createChat('Bob', { status: 'request' }),
    createChat('Carl', { isDeleted: true }),
    createChat('unnamed', { names: [] }),
  ];
  expect(idsOf(chats, '')).toEqual(['Zoe', 'Ada']);
});

test('finds names by any part of them, regardless of case, width and spaces around the search', () => {
  const chats = [createChat('Zoe'), createChat('Łukasz'), createChat('Bo.Zo')];
  expect(idsOf(chats, 'zo')).toEqual(['Zoe', 'Bo.Zo']);
  expect(idsOf(chats, ' ＺＯ ')).toEqual(['Zoe', 'Bo.Zo']);
  expect(idsOf(chats, 'łU')).toEqual(['Łukasz']);
  expect(idsOf(chats, 'x')).toEqual([]);
});
