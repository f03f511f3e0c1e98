import type { Message } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import {
  isAtLeastAsNew,
  toStoredChatroom,
  parseStoredChatroom,
  type StoredChatroom,
} from './stored-chatroom.ts';
import {
  compareWithServer,
  RESYNC_MAX_REVS,
  parseChatroomsIndex,
  withoutSurplus,
} from './chatrooms-index.ts';

const message = (seq: number): Message => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username: 'Bob' },
  createdAt: '2026-03-20T09:00:00.000Z',
  updatedAt: '2026-03-20T09:00:00.000Z',
  seq,
  rev: seq,
  kind: 'text',
});

/** Creates a chatroom with `count` messages, read up to `readSeq`. */
const chatroomOf = (count: number, readSeq = count): LoadedChatroom => ({
  id: 'room',
  memberRev: 0,
  status: 'accepted',
  partnerName: 'Bob',
  currentUsername: 'Ada',
  messages: Array.from({ length: count }, (_, i) => message(i + 1)),
  hasMore: false,
  rev: count,
  readSeq,
  unread: count - readSeq,
  deletedRevs: new Map(),
  changedElsewhere: new Map(),
  loadedRev: count,
});

const withoutStatus = ({
  status: _status,
  memberRev: _memberRev,
  ...room
}: StoredChatroom): object => room;

describe('a stored chatroom', () => {
  test.each([
    [30, 30, 30],
    [60, 60, 50],
    [300, 200, 100],
    [300, 0, 200],
  ])('made from %i messages with %i read contains the newest %i', (count, readSeq, kept) => {
    const room = toStoredChatroom(chatroomOf(count, readSeq));
    expect(room.messages).toHaveLength(kept);
    expect(room.messages.at(-1)?.seq).toBe(count);
    expect(room.hasMore).toBe(kept < count);
  });

  test('is restored unchanged', () => {
    const room = chatroomOf(3);
    const stored: unknown = structuredClone(toStoredChatroom(room));
    expect(parseStoredChatroom(stored, 'room')).toEqual(room);
  });

  test.each([
    [undefined],
    [null],
    ['room'],
    [{ ...toStoredChatroom(chatroomOf(1)), id: 'another' }],
    [{ ...toStoredChatroom(chatroomOf(1)), messages: [{ ...message(1), sender: null }] }],
    [{ ...toStoredChatroom(chatroomOf(1)), rev: '1' }],
    [{ ...toStoredChatroom(chatroomOf(1)), isSentAsRequest: 1 }],
    [{ ...toStoredChatroom(chatroomOf(1)), status: 'blocked' }],
    // As stored by versions without states of chats.
    [withoutStatus(toStoredChatroom(chatroomOf(1)))],
  ])('is rejected if it is damaged: %j', (value) => {
    expect(parseStoredChatroom(value, 'room')).toBeUndefined();
  });
});

test('a stored chatroom is replaced by a newer one, but not by an older one', () => {
  const room = toStoredChatroom(chatroomOf(3, 2));
  expect(isAtLeastAsNew({ ...room, rev: 4 }, room)).toBe(true);
  expect(isAtLeastAsNew(room, { ...room, rev: 4 })).toBe(false);
  expect(isAtLeastAsNew({ ...room, readSeq: 3 }, room)).toBe(true);
  expect(isAtLeastAsNew(room, { ...room, readSeq: 3 })).toBe(false);
  expect(isAtLeastAsNew({ ...room, memberRev: 1 }, { ...room, readSeq: 3 })).toBe(true);
  expect(isAtLeastAsNew({ ...room, readSeq: 3 }, { ...room, memberRev: 1 })).toBe(false);
  expect(isAtLeastAsNew({ ...room, rev: 4 }, { ...room, memberRev: 1 })).toBe(true);
  expect(isAtLeastAsNew(room, room)).toBe(true);
});

describe('the index of stored chatrooms', () => {
  const entry = (rev: number, usedAt = 0, unread = 0) => ({ rev, memberRev: 1, unread, usedAt });

  test('discards damaged entries', () => {
    expect(
      parseChatroomsIndex({ a: entry(1), b: { rev: 1, unread: 0, usedAt: 0 }, c: null }),
    ).toEqual({
      a: entry(1),
    });
    expect(parseChatroomsIndex('nothing')).toEqual({});
  });

  test('keeps the most recently shown chatrooms up to the limit', () => {
    const index = { a: entry(1, 30), b: entry(1, 10), c: entry(1, 20) };
    expect(withoutSurplus(index, 2)).toEqual({ a: index.a, c: index.c });
    expect(withoutSurplus(index, 3)).toEqual(index);
  });

  test('separates chatrooms to resync from outdated ones', () => {
    const index = {
      same: entry(5),
      behind: entry(5),
      read: entry(5, 0, 2),
      accepted: entry(5),
      far: entry(5),
      ahead: entry(5),
      restored: entry(5),
      gone: entry(5),
    };
    const chats = [
      { id: 'same', rev: 5, memberRev: 1, unread: 0 },
      { id: 'behind', rev: 6, memberRev: 1, unread: 1 },
      { id: 'read', rev: 5, memberRev: 1, unread: 0 },
      { id: 'accepted', rev: 5, memberRev: 2, unread: 0 },
      { id: 'far', rev: 6 + RESYNC_MAX_REVS, memberRev: 1, unread: 1 },
      { id: 'ahead', rev: 4, memberRev: 1, unread: 0 },
      { id: 'restored', rev: 6, memberRev: 0, unread: 1 },
      { id: 'never shown', rev: 4, memberRev: 1, unread: 0 },
    ];
    const { since, outdated } = compareWithServer(index, chats);
    expect(since).toEqual({ behind: 5, read: 5, accepted: 5 });
    expect([...outdated].toSorted()).toEqual(['ahead', 'far', 'gone', 'restored']);
  });
});
