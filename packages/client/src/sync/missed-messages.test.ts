import type { Message } from '@parley/contract';
import { expect, test } from 'vitest';
import { createChatState } from '../../test/create-chat-state.ts';
import { toChat, type Chat } from '../stores/chat-list.ts';
import { findMissedMessages } from './missed-messages.ts';

function chat(minute: number, unread: number, isOwn = false): Chat {
  const time = `2025-03-01T10:0${minute}:00.000Z`;
  const last: Message = {
    _id: `m${minute}`,
    chatroom: 'room',
    content: `at ${minute}`,
    sender: { username: isOwn ? 'Ada' : 'Bob' },
    createdAt: time,
    updatedAt: time,
    seq: minute,
    rev: minute,
    kind: 'text',
  };
  return toChat(createChatState({ unreadMessagesCount: unread }, last));
}

const missed = (before: Chat[], after: Chat) =>
  findMissedMessages(before, [after]).map(({ content }) => content);

test('finds messages that arrived during a disconnection, including those of new chats', () => {
  expect(missed([chat(1, 0)], chat(2, 1))).toEqual(['at 2']);
  expect(missed([], chat(2, 1))).toEqual(['at 2']);
});

test('finds messages by their position, whatever the clock of the server said', () => {
  const time = '2031-01-01T00:00:00.000Z';
  const ahead = { ...chat(1, 0), time, activeAt: time };
  expect(missed([ahead], chat(2, 1))).toEqual(['at 2']);
});

test('finds a message with a position that another had before the server was restored', () => {
  const time = '2025-03-01T10:01:30.000Z';
  const lost = { ...chat(3, 0), time, activeAt: time };
  expect(missed([lost], chat(2, 1))).toEqual(['at 2']);
});

test('ignores an earlier message from a clock that was ahead once later ones are deleted', () => {
  const ahead = '2031-01-01T00:00:00.000Z';
  const earlier = { ...chat(1, 1), time: ahead, activeAt: ahead };
  const deleted = { ...chat(2, 2), activeAt: '2031-01-01T00:00:00.001Z' };
  expect(missed([deleted], earlier)).toEqual([]);
});

test('finds a missed message even if other unread ones were deleted', () => {
  expect(missed([chat(1, 3)], chat(2, 1))).toEqual(['at 2']);
});

test('ignores known, read and own messages', () => {
  expect(missed([chat(1, 0)], chat(1, 1))).toEqual([]);
  expect(missed([chat(1, 0)], chat(2, 0))).toEqual([]);
  expect(missed([chat(1, 1)], chat(2, 1, true))).toEqual([]);
});

test('finds the first message of a request, and no later ones', () => {
  const request = (minute: number): Chat => ({ ...chat(minute, 1), status: 'request' });
  const found = {
    key: 'room.2',
    chatroomId: 'room',
    name: 'Bob',
    content: 'at 2',
    isRequest: true,
  };
  expect(findMissedMessages([], [request(2)])).toMatchObject([found]);
  expect(missed([request(1)], request(2))).toEqual([]);
  expect(findMissedMessages([], [chat(2, 1)])[0]).not.toHaveProperty('isRequest');
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
  const found = { key: 'message:👍', chatroomId: 'room', name: 'Bob', reaction: '👍' };
  expect(findMissedMessages([chat(1, 0, true)], [reacted(2)])).toMatchObject([found]);
  expect(findMissedMessages([reacted(2, '🙏')], [reacted(3)])).toMatchObject([found]);
  expect(findMissedMessages([reacted(3, '🙏')], [reacted(2)])).toMatchObject([found]);
  expect(findMissedMessages([reacted(3)], [reacted(3)])).toEqual([]);
  const edited = reacted(3);
  if (edited.reaction) edited.reaction = { ...edited.reaction, content: 'Shall we go?' };
  expect(findMissedMessages([reacted(3)], [edited])).toEqual([]);
  expect(findMissedMessages([reacted(3)], [chat(1, 0, true)])).toEqual([]);
});
