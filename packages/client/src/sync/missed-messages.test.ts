import { expect, test } from 'vitest';
import type { Chat } from '../stores/chat-list.ts';
import { findMissedMessages } from './missed-messages.ts';

function chat(minute: number, unread: number, isOwn = false): Chat {
  return {
    id: 'room',
    names: ['Alice'],
    isDeleted: false,
    last: { content: `at ${minute}`, kind: 'text', isOwn },
    time: `2025-03-01T10:0${minute}:00.000Z`,
    activeAt: `2025-03-01T10:0${minute}:00.000Z`,
    unread,
    rev: minute,
  };
}

const missed = (before: Chat[], after: Chat) =>
  findMissedMessages(before, [after]).map(({ content }) => content);

test('finds messages that arrived during a disconnection, including those of new chats', () => {
  expect(missed([chat(1, 0)], chat(2, 1))).toEqual(['at 2']);
  expect(missed([], chat(2, 1))).toEqual(['at 2']);
});

test('finds a missed message even if other unread ones were deleted', () => {
  expect(missed([chat(1, 3)], chat(2, 1))).toEqual(['at 2']);
});

test('ignores known, read and own messages', () => {
  expect(missed([chat(1, 0)], chat(1, 1))).toEqual([]);
  expect(missed([chat(1, 0)], chat(2, 0))).toEqual([]);
  expect(missed([chat(1, 1)], chat(2, 1, true))).toEqual([]);
});

test('finds the latest reaction of a chat if it is new', () => {
  const reacted = (minute: number, emoji = '👍'): Chat => ({
    ...chat(1, 0, true),
    reaction: {
      messageId: 'message',
      emoji,
      content: 'Shall we?',
      kind: 'text',
      createdAt: `2025-03-01T10:0${minute}:00.000Z`,
    },
  });
  const found = { key: 'message:👍', chatroomId: 'room', name: 'Alice', reaction: '👍' };
  expect(findMissedMessages([chat(1, 0, true)], [reacted(2)])).toMatchObject([found]);
  expect(findMissedMessages([reacted(2, '🙏')], [reacted(3)])).toMatchObject([found]);
  expect(findMissedMessages([reacted(3)], [reacted(3)])).toEqual([]);
  expect(findMissedMessages([reacted(3)], [chat(1, 0, true)])).toEqual([]);
});
