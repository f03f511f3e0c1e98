import type { Message } from '@parley/contract';
import { expect, test } from 'vitest';
import { createUnreadRequest, type UnreadView } from './unread-request.ts';

const NOW = 1_000_000;

/** A room with one message of each sender, read up to a position. The last one is sent at a time. */
function chatroomOf(senders: string, readSeq: number, lastSentAt = 0): UnreadView['room'] {
  const messages = Array.from(senders, (sender, index): Message => ({
    _id: `${index}`,
    chatroom: 'room',
    content: 'Hello',
    sender: { username: sender },
    createdAt: new Date(index === senders.length - 1 ? lastSentAt : 0).toISOString(),
    updatedAt: new Date(0).toISOString(),
    seq: index + 1,
    rev: index + 1,
    kind: 'text',
  }));
  return { messages, readSeq, currentUsername: 'b' };
}
const view = (room: UnreadView['room'], isAttended: boolean, wantedAt?: number): UnreadView => ({
  room,
  isAttended,
  wantedAt,
});

test('finds the first unread message of the partner, once per tap', () => {
  const request = createUnreadRequest(view(chatroomOf('aa', 2), true), false);
  const room = chatroomOf('aabaa', 2);
  expect(request.update(view(room, false), NOW)).toBeUndefined();
  expect(request.update(view(room, false, NOW), NOW)).toBe(4);
  request.finish();
  expect(request.update(view(room, true, NOW), NOW)).toBeUndefined();
  expect(request.update(view(room, true, NOW + 1), NOW + 1)).toBe(4);
});

test('finds messages that were marked as read because the tap focused the page', () => {
  const request = createUnreadRequest(view(chatroomOf('aa', 2), true), false);
  request.update(view(chatroomOf('aaaa', 2), false), NOW);
  request.update(view(chatroomOf('aaaa', 2), true), NOW);
  request.update(view(chatroomOf('aaaa', 4), true), NOW + 10);
  expect(request.update(view(chatroomOf('aaaa', 4), true, NOW + 20), NOW + 20)).toBe(3);
});

test('finds nothing that the user has read here before, or on another device', () => {
  const request = createUnreadRequest(view(chatroomOf('aa', 0), true), false);
  request.update(view(chatroomOf('aa', 2), true), NOW);
  const later = NOW + 60_000;
  expect(request.update(view(chatroomOf('aa', 2), true, later), later)).toBeUndefined();
  request.update(view(chatroomOf('aaa', 2), false), later);
  request.update(view(chatroomOf('aaa', 3), false), later);
  expect(request.update(view(chatroomOf('aaa', 3), false, later + 1), later + 1)).toBeUndefined();
});

test('waits for messages that a waking device receives, and not for later ones', () => {
  const request = createUnreadRequest(view(chatroomOf('aa', 2), false), false);
  expect(request.update(view(chatroomOf('aa', 2), true, NOW), NOW)).toBeUndefined();
  expect(request.update(view(chatroomOf('aaa', 3), true, NOW), NOW + 3_000)).toBe(3);
  request.finish();
  request.update(view(chatroomOf('aaa', 3), false, NOW), NOW + 3_000);
  expect(
    request.update(view(chatroomOf('aaa', 3), true, NOW + 5_000), NOW + 5_000),
  ).toBeUndefined();
  expect(
    request.update(view(chatroomOf('aaaa', 3), true, NOW + 5_000), NOW + 20_000),
  ).toBeUndefined();
});

test('does not jump to a message that is sent after the tap, such as one on a reaction', () => {
  const request = createUnreadRequest(view(chatroomOf('aa', 2), true), false);
  expect(request.update(view(chatroomOf('aa', 2), true, NOW), NOW)).toBeUndefined();
  const answered = chatroomOf('aaa', 2, NOW + 1_000);
  expect(request.update(view(answered, true, NOW), NOW + 1_000)).toBeUndefined();
  const sentBefore = chatroomOf('aaa', 2, NOW);
  expect(request.update(view(sentBefore, true, NOW), NOW + 1_000)).toBe(3);
});

test('finds messages that were there at the tap, although the clock of the device is slow', () => {
  const request = createUnreadRequest(view(chatroomOf('aa', 2), true), false);
  const room = chatroomOf('aaa', 2, NOW + 60_000);
  expect(request.update(view(room, false, NOW), NOW)).toBe(3);
});

test('leaves it to the list where a chatroom opens that has just been opened', () => {
  const opened = view(chatroomOf('aa', 1), true, NOW);
  expect(createUnreadRequest(opened, true).update(opened, NOW)).toBeUndefined();
  const empty = createUnreadRequest(view(chatroomOf('aa', 2), true, NOW), false);
  expect(empty.update(view(chatroomOf('aaa', 2), true, NOW), NOW + 100)).toBe(3);
});
