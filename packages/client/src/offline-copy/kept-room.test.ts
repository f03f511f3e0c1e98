import type { Message } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import type { Room } from '../stores/room.ts';
import { isAsNew, keptRoomOf, lacksUnread, parseKeptRoom } from './kept-room.ts';
import { checkRooms, FAR_BEHIND, parseRoomsIndex, surplusRooms } from './kept-rooms-index.ts';

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

/** A room of so many messages, read up to `readSeq`. */
const roomOf = (count: number, readSeq = count): Room => ({
  id: 'room',
  partnerName: 'Bob',
  currentUsername: 'Ada',
  messages: Array.from({ length: count }, (_, i) => message(i + 1)),
  hasMore: false,
  rev: count,
  readSeq,
  unread: count - readSeq,
  gone: new Map(),
});

describe('what is kept of a room', () => {
  test.each([
    [30, 30, 30],
    [60, 60, 50],
    [300, 200, 100],
    [300, 0, 200],
  ])('of %i messages of which %i are read, it is the newest %i', (count, readSeq, kept) => {
    const room = keptRoomOf(roomOf(count, readSeq));
    expect(room.messages).toHaveLength(kept);
    expect(room.messages.at(-1)?.seq).toBe(count);
    expect(room.hasMore).toBe(kept < count);
  });

  test('comes back as it was', () => {
    const room = roomOf(3);
    const stored: unknown = structuredClone(keptRoomOf(room));
    expect(parseKeptRoom(stored, 'room')).toEqual(room);
  });

  test.each([
    [undefined],
    [null],
    ['room'],
    [{ ...keptRoomOf(roomOf(1)), id: 'another' }],
    [{ ...keptRoomOf(roomOf(1)), messages: [{ ...message(1), sender: null }] }],
    [{ ...keptRoomOf(roomOf(1)), rev: '1' }],
  ])('is nothing where it is damaged: %j', (value) => {
    expect(parseKeptRoom(value, 'room')).toBeUndefined();
  });
});

test('a newer room takes the place of an older one, never the other way round', () => {
  const room = keptRoomOf(roomOf(3, 2));
  expect(isAsNew({ ...room, rev: 4 }, room)).toBe(true);
  expect(isAsNew(room, { ...room, rev: 4 })).toBe(false);
  expect(isAsNew({ ...room, readSeq: 3 }, room)).toBe(true);
  expect(isAsNew(room, { ...room, readSeq: 3 })).toBe(false);
  expect(isAsNew(room, room)).toBe(true);
});

test('a room whose unread messages are not all there must be loaded back to the first one', () => {
  const kept = { ...keptRoomOf(roomOf(300, 0)), gone: new Map<string, number>() };
  expect(lacksUnread(kept)).toBe(true);
  expect(lacksUnread(roomOf(300, 0))).toBe(false);
  expect(lacksUnread({ ...kept, readSeq: 100 })).toBe(false);
});

describe('the index of rooms', () => {
  const entry = (rev: number, usedAt = 0, unread = 0) => ({ rev, unread, usedAt });

  test('leaves out what is damaged', () => {
    expect(parseRoomsIndex({ a: entry(1), b: { rev: 1 }, c: null })).toEqual({ a: entry(1) });
    expect(parseRoomsIndex('nothing')).toEqual({});
  });

  test('names the rooms that were shown the longest time ago', () => {
    const index = { a: entry(1, 30), b: entry(1, 10), c: entry(1, 20) };
    expect([...surplusRooms(index, 2)]).toEqual(['b']);
    expect([...surplusRooms(index, 3)]).toEqual([]);
  });

  test('tells which rooms catch up and which are not worth it', () => {
    const index = {
      same: entry(5),
      behind: entry(5),
      read: entry(5, 0, 2),
      far: entry(5),
      ahead: entry(5),
      gone: entry(5),
    };
    const chats = [
      { id: 'same', rev: 5, unread: 0 },
      { id: 'behind', rev: 6, unread: 1 },
      { id: 'read', rev: 5, unread: 0 },
      { id: 'far', rev: 6 + FAR_BEHIND, unread: 1 },
      { id: 'ahead', rev: 4, unread: 0 },
      { id: 'never shown', rev: 4, unread: 0 },
    ];
    const { since, outdated } = checkRooms(index, chats);
    expect(since).toEqual({ behind: 5, read: 5 });
    expect([...outdated].toSorted()).toEqual(['ahead', 'far', 'gone']);
  });
});
