import { expect, test } from 'vitest';
import { createChat } from '../../../test/create-chat.ts';
import { findNeighbor } from './find-neighbor.ts';

const CHATS = [
  createChat('Anna'),
  createChat('Eve', { status: 'request' }),
  createChat('Johanna'),
  createChat('Zoë'),
  createChat('Bob'),
];

test('finds the neighbors of a chat, and none beyond the ends', () => {
  expect(findNeighbor(CHATS, 'Anna', 1)?.id).toBe('Johanna');
  expect(findNeighbor(CHATS, 'Johanna', -1)?.id).toBe('Anna');
  expect(findNeighbor(CHATS, 'Anna', -1)).toBeUndefined();
  expect(findNeighbor(CHATS, 'Bob', 1)).toBeUndefined();
  expect(findNeighbor(CHATS, undefined, 1)?.id).toBe('Anna');
  expect(findNeighbor(CHATS, 'Eve', -1)?.id).toBe('Bob');
  expect(findNeighbor([], undefined, 1)).toBeUndefined();
});

test('skips archived chats', () => {
  const archived = { ...createChat('Carl'), isArchived: true } as const;
  expect(findNeighbor([createChat('Anna'), archived, createChat('Bob')], 'Anna', 1)?.id).toBe(
    'Bob',
  );
});
