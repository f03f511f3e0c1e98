import type { Message } from '@parley/contract';
import { expect, test } from 'vitest';
import { withReactionsOf } from './message-reactions.ts';

const message = (reactions?: Message['reactions']): Message => ({
  _id: 'a',
  chatroom: 'room',
  content: 'hi',
  sender: { username: 'bob' },
  createdAt: '2025-03-20T09:00:00.000Z',
  updatedAt: '2025-03-20T09:00:00.000Z',
  seq: 1,
  rev: 1,
  kind: 'text',
  ...(reactions && { reactions }),
});

test('removes the reactions of a deleted partner', () => {
  const own = [{ emoji: '👍', usernames: ['ada'] }];
  const before = message([
    { emoji: '👍', usernames: ['bob', 'ada'] },
    { emoji: '🙏', usernames: ['bob'] },
  ]);
  expect(withReactionsOf(before, 'ada').reactions).toEqual(own);
  expect(withReactionsOf(message([{ emoji: '🙏', usernames: ['bob'] }]), 'ada')).toEqual(message());
  const unaffected = message(own);
  expect(withReactionsOf(unaffected, 'ada')).toBe(unaffected);
});
