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

test('what came since is missed, in a new chat, too', () => {
  expect(missed([chat(1, 0)], chat(2, 1))).toEqual(['at 2']);
  expect(missed([], chat(2, 1))).toEqual(['at 2']);
});

test('also where others that were unread are gone', () => {
  expect(missed([chat(1, 3)], chat(2, 1))).toEqual(['at 2']);
});

test('not what was there already, is read, or is of the reader', () => {
  expect(missed([chat(1, 0)], chat(1, 1))).toEqual([]);
  expect(missed([chat(1, 0)], chat(2, 0))).toEqual([]);
  expect(missed([chat(1, 1)], chat(2, 1, true))).toEqual([]);
});
