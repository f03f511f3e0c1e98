import type { Message, SearchConditions } from '@parley/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';
import { searchChatrooms } from './search-copy.ts';

const DAY = Date.UTC(2026, 2, 20);

const message = (seq: number, other: Partial<Message> = {}): Message => ({
  _id: `${other.chatroom ?? 'a'}${seq}`,
  chatroom: 'a',
  content: `text ${seq}`,
  sender: { username: seq % 2 === 0 ? 'Ada' : 'Bob' },
  createdAt: new Date(DAY + seq * 1_000).toISOString(),
  updatedAt: new Date(DAY + seq * 1_000).toISOString(),
  seq,
  rev: seq,
  kind: 'text',
  ...other,
});

function room(messages: readonly Message[], other: Partial<LoadedChatroom> = {}): LoadedChatroom {
  return {
    id: messages[0]?.chatroom ?? 'a',
    memberRev: 0,
    status: 'accepted',
    partnerName: 'Bob',
    currentUsername: 'Ada',
    messages,
    hasMore: true,
    rev: 100,
    readSeq: 0,
    unread: 0,
    deletedRevs: new Map(),
    changedElsewhere: new Map(),
    loadedRev: 0,
    ...other,
  };
}

function find(rooms: readonly LoadedChatroom[], conditions: SearchConditions): string[] {
  const { hits } = searchChatrooms(rooms, conditions, 'Ada', { limit: 100 });
  return hits.map((hit) => hit.message._id);
}

test('finds parts of words in all chatrooms, the newest first', () => {
  const rooms = [
    room([message(1, { content: 'Die Donaudampfschifffahrt' }), message(4, { content: 'Auto' })]),
    room([
      message(2, { chatroom: 'b', content: 'SCHIFFE aus Köln' }),
      message(3, { chatroom: 'b', content: 'Raumschiff' }),
    ]),
  ];
  expect(find(rooms, { query: 'schiff' })).toEqual(['b3', 'b2', 'a1']);
  expect(find(rooms, { query: 'schiff koeln' })).toEqual(['b2']);
  expect(find(rooms, { query: 'schiff', chatroomId: 'a' })).toEqual(['a1']);
});

test('finds by sender, kind and time', () => {
  const rooms = [
    room([
      message(1, { content: 'see https://parley.example' }),
      message(2, { kind: 'image', content: 'https://parley.example/media/a.png' }),
      message(3, { kind: 'audio', content: 'https://parley.example/media/a.webm' }),
      message(4),
    ]),
  ];
  expect(find(rooms, { from: 'me' })).toEqual(['a4', 'a2']);
  expect(find(rooms, { from: 'partner' })).toEqual(['a3', 'a1']);
  expect(find(rooms, { kind: 'image' })).toEqual(['a2']);
  expect(find(rooms, { kind: 'audio' })).toEqual(['a3']);
  expect(find(rooms, { kind: 'link' })).toEqual(['a1']);
  // The address of an upload is no text.
  expect(find(rooms, { query: 'media' })).toEqual([]);
  expect(find(rooms, { after: DAY + 2_000, before: DAY + 4_000 })).toEqual(['a3', 'a2']);
});

test('includes the messages around one that the user jumped to, but no blocked chatrooms', () => {
  const detached = { messages: [message(1)], hasMore: false };
  expect(find([room([message(9)], { detached })], { query: 'text' })).toEqual(['a9', 'a1']);
  const blocked = [room([message(9)], { status: 'blocked' })];
  expect(find(blocked, { query: 'text' })).toEqual([]);
  // It can still be opened.
  expect(find(blocked, { query: 'text', chatroomId: 'a' })).toEqual(['a9']);
});

test('its pages contain every result once, in both orders', () => {
  const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
  const orders = fc.constantFrom('newest', 'oldest');
  fc.assert(
    fc.property(seqs, seqs, orders, fc.integer({ min: 1, max: 5 }), (one, other, order, limit) => {
      const at = (seq: number, chatroom: string): Message =>
        // Two of each second, so that times alone do not decide.
        message(seq, { chatroom, createdAt: new Date(DAY + (seq >> 1) * 1_000).toISOString() });
      const rooms = [room(one.map((seq) => at(seq, 'a'))), room(other.map((seq) => at(seq, 'b')))];
      const all = rooms.flatMap(({ messages }) => messages.map(({ _id }) => _id));
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const options = { order, limit, ...(cursor !== undefined && { cursor }) } as const;
        const page = searchChatrooms(rooms, { query: 'text' }, 'Ada', options);
        expect(page.total).toBe(all.length);
        found.push(...page.hits.map((hit) => hit.message._id));
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(found.toSorted()).toEqual(all.toSorted());
    }),
  );
});
