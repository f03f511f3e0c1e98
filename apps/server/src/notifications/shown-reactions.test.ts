import { expect, test } from 'vitest';
import { createShownReactions } from './shown-reactions.ts';

test('finds the reactions that the user has seen since, until they are closed', () => {
  const viewedAt = new Map<string, number>();
  const reactions = createShownReactions({
    wasInViewSince: (userId, chatroomId, since) =>
      userId === 'bob' && (viewedAt.get(chatroomId) ?? 0) >= since,
  });
  reactions.add('phone', 'a', 100);
  reactions.add('phone', 'b', 100);
  reactions.add('tablet', 'a', 300);
  viewedAt.set('a', 200);
  expect(reactions.findSeen('phone', 'bob')).toEqual(['a']);
  expect(reactions.findSeen('tablet', 'bob')).toEqual([]);
  reactions.remove('phone', ['a']);
  expect(reactions.findSeen('phone', 'bob')).toEqual([]);
  for (let i = 0; i < 30; i += 1) reactions.add('phone', `room ${i}`, 500);
  viewedAt.set('b', 600);
  expect(reactions.findSeen('phone', 'bob')).toEqual([]);
});
