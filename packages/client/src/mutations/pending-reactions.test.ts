import type { Message } from '@parley/contract';
import { expect, test } from 'vitest';
import type { Mutation } from './mutations-store.ts';
import { reactionMutationKey, withPendingReactions } from './pending-reactions.ts';

const message = (id: string, reactions?: Message['reactions']): Message => ({
  _id: id,
  chatroom: 'room',
  content: id,
  sender: { username: 'bob' },
  createdAt: '2025-03-20T09:00:00.000Z',
  updatedAt: '2025-03-20T09:00:00.000Z',
  seq: 1,
  rev: 1,
  kind: 'text',
  ...(reactions && { reactions }),
});

const mutation = (messageId: string, emoji: string, isOn: boolean): Mutation => ({
  key: reactionMutationKey(messageId, emoji),
  chatroomId: 'room',
  value: { messageId, emoji, isOn },
  order: 1,
});

const THUMB = '👍';

test('adds pending reactions after the others and removes those taken back', () => {
  const shown = (before: Message['reactions'], ...mutations: Mutation[]) =>
    withPendingReactions([message('a', before)], mutations, 'ada')[0]?.reactions;
  const both = [{ emoji: THUMB, usernames: ['bob', 'ada'] }];
  expect(shown(undefined, mutation('a', THUMB, true))).toEqual([
    { emoji: THUMB, usernames: ['ada'] },
  ]);
  expect(shown([{ emoji: THUMB, usernames: ['bob'] }], mutation('a', THUMB, true))).toEqual(both);
  expect(shown(both, mutation('a', THUMB, false))).toEqual([{ emoji: THUMB, usernames: ['bob'] }]);
  expect(
    shown(
      [{ emoji: THUMB, usernames: ['ada'] }],
      mutation('a', THUMB, false),
      mutation('a', '🙏', true),
    ),
  ).toEqual([{ emoji: '🙏', usernames: ['ada'] }]);
  expect(
    shown([{ emoji: THUMB, usernames: ['ada'] }], mutation('a', THUMB, false)),
  ).toBeUndefined();
});

test('keeps the identity of what does not change', () => {
  const messages = [message('a', [{ emoji: THUMB, usernames: ['ada'] }]), message('b')];
  const other: Mutation = { ...mutation('a', THUMB, true), key: 'chat-settings:room' };
  expect(withPendingReactions(messages, [], 'ada')).toBe(messages);
  expect(withPendingReactions(messages, [other, mutation('c', THUMB, true)], 'ada')).toBe(messages);
  const changed = withPendingReactions(
    messages,
    [mutation('a', THUMB, true), mutation('b', THUMB, true)],
    'ada',
  );
  expect(changed[0]).toBe(messages[0]);
  expect(changed[1]).not.toBe(messages[1]);
});
