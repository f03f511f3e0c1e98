import type { Chat } from '@parley/client';
import { expect, test } from 'vitest';
import { createChat } from '../../../test/create-chat.ts';
import { findChats, findInitial } from './find-chats.ts';

const CHATS = [
  createChat('Anna'),
  createChat('Eve', { status: 'request' }),
  createChat('Johanna'),
  createChat('Zoë'),
  createChat('Bob'),
];
const idsOf = (chats: readonly Chat[]) => chats.map(({ id }) => id);

test('finds all chats but requests without a text, in their order', () => {
  expect(idsOf(findChats(CHATS, ' '))).toEqual(['Anna', 'Johanna', 'Zoë', 'Bob']);
});

test('finds names that contain the text, those that begin with it first', () => {
  expect(idsOf(findChats([...CHATS].toReversed(), 'AN'))).toEqual(['Anna', 'Johanna']);
  expect(idsOf(findChats(CHATS, 'zoe'))).toEqual(['Zoë']);
  expect(findChats(CHATS, 'eve')).toEqual([]);
  const others = [createChat('Jürgen'), createChat('Strauß')];
  expect(idsOf(findChats(others, 'Juergen'))).toEqual(['Jürgen']);
  expect(idsOf(findChats(others, 'STRAUSS'))).toEqual(['Strauß']);
});

test('skips archived chats without a text, which can still be found by their names', () => {
  const archived = { ...createChat('Carl'), isArchived: true } as const;
  expect(findChats([archived], '')).toEqual([]);
  expect(idsOf(findChats([archived], 'carl'))).toEqual(['Carl']);
});

test('selects first the latest chat that is not open, or the best match', () => {
  expect(findInitial(CHATS, '', 'Anna')?.id).toBe('Johanna');
  expect(findInitial(CHATS, '', 'Bob')?.id).toBe('Anna');
  expect(findInitial(CHATS, 'an', 'Anna')?.id).toBe('Anna');
  expect(findInitial([createChat('Anna')], '', 'Anna')?.id).toBe('Anna');
  expect(findInitial(CHATS, 'x', 'Anna')).toBeUndefined();
});
