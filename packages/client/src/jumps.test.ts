import type { Changes, Chatroom, Message } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { createChatState } from '../test/create-chat-state.ts';
import type { ApiClient } from './api/client.ts';
import { ApiError } from './api/client.ts';
import { createJumps, type Jumps } from './jumps.ts';
import { toStoredChatroom } from './offline-copy/stored-chatroom.ts';
import { toChat } from './stores/chat-list.ts';
import { createQuotesStore, quoteOf, resolveQuote, toDeletedQuote } from './stores/quotes.ts';
import {
  withChanges,
  withDeleted,
  withMessage,
  withNewestPage,
  withChatState,
  type LoadedChatroom,
} from './stores/loaded-chatroom.ts';
import { createChatroomsStore, findLoadedChatroom } from './stores/loaded-chatrooms.ts';

const NEWEST = 400;

let deleted: Set<number>;
let rev: number;
const rooms = createChatroomsStore();
const quotes = createQuotesStore();
let jumps: Jumps;
/** Pending requests, in order. */
let pending: (() => void)[];
let isHeld: boolean;

const message = (seq: number, rest: Partial<Message> = {}): Message => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username: seq % 2 === 0 ? 'Ada' : 'Bob' },
  createdAt: '2026-03-20T09:00:00.000Z',
  updatedAt: '2026-03-20T09:00:00.000Z',
  seq,
  rev: seq,
  kind: 'text',
  ...rest,
});

/** A message that replies to another one. */
const replyTo = (seq: number, original: Message, rest: Partial<Message> = {}): Message =>
  message(seq, { replyTo: quoteOf(original), ...rest });

function page(seqs: readonly number[], hasNewer: boolean): Chatroom {
  return {
    chat: createChatState({ rev, readSeq: NEWEST }),
    chatroomMessages: seqs.filter((seq) => !deleted.has(seq)).map((seq) => message(seq)),
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: 0,
    volume: 'middle',
    hasMore: (seqs[0] ?? 1) > 1,
    ...(hasNewer && { hasNewer }),
  };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Returns a page as the server does, with at most 50 messages. */
function respond(query: Partial<Record<'before' | 'after' | 'around', number>>): Chatroom {
  const { before, after, around } = query;
  const [from, to] =
    around !== undefined
      ? [around - 25, around + 24]
      : after !== undefined
        ? [after + 1, after + 50]
        : [(before ?? NEWEST + 1) - 50, (before ?? NEWEST + 1) - 1];
  return page(range(Math.max(1, from), Math.min(NEWEST, to)), to < NEWEST);
}

const room = (): LoadedChatroom => {
  const found = findLoadedChatroom(rooms.getState(), 'room');
  if (!found) throw new Error('no room');
  return found;
};
const shown = (): number[] => (room().detached?.messages ?? room().messages).map(({ seq }) => seq);
const update = (change: (room: LoadedChatroom) => LoadedChatroom): void =>
  rooms.getState().update('room', change);

/** Returns the chatroom after the partner's account was deleted. */
const withoutPartner = (before: LoadedChatroom): LoadedChatroom => {
  const gone = { rev: before.rev, memberRev: 1, usernames: [], isDeletedAccount: true };
  return withChatState(before, toChat(createChatState(gone)));
};

beforeEach(() => {
  deleted = new Set();
  rev = NEWEST;
  pending = [];
  isHeld = false;
  const call = vi.fn<(name: string, options: { query: object }) => Promise<Chatroom>>(
    async (_name, { query }) => {
      const response = respond(query);
      if (isHeld) await new Promise<void>((resolve) => pending.push(resolve));
      return response;
    },
  );
  const api = { call } as unknown as ApiClient;
  jumps = createJumps(api, { rooms, quotes }, new AbortController().signal);
  const newest = withNewestPage('room', page(range(351, 400), false));
  rooms.getState().setEntry('room', { status: 'ready', room: newest, isLoadingOlder: false });
});

test('jumps to a loaded message without a request', async () => {
  isHeld = true;
  expect(await jumps.jumpTo('room', { seq: 360 })).toEqual({ messageId: 'm360' });
  expect(room().detached).toBeUndefined();
});

test('shows the messages around one that is not loaded, apart from the newest ones', async () => {
  expect(await jumps.jumpTo('room', { seq: 100 })).toEqual({ messageId: 'm100' });
  expect(shown()).toEqual(range(75, 124));
  expect(room().messages.map(({ seq }) => seq)).toEqual(range(351, 400));
  expect(toStoredChatroom(room())).not.toHaveProperty('detached');
});

test('adds older and newer pages until the messages join the newest ones', async () => {
  await jumps.jumpTo('room', { seq: 270 });
  await jumps.loadOlder('room');
  expect(shown()).toEqual(range(195, 294));
  await jumps.loadNewer('room');
  expect(shown()).toEqual(range(195, 344));
  await jumps.loadNewer('room');
  expect(room().detached).toBeUndefined();
  expect(shown()).toEqual(range(195, 400));
  expect(room().hasMore).toBe(true);
});

test('joins the newest messages immediately if the page overlaps them', async () => {
  await jumps.jumpTo('room', { seq: 340 });
  expect(room().detached).toBeUndefined();
  expect(shown()).toEqual(range(315, 400));
});

test('does not append live messages to detached ones, and counts them as unread', async () => {
  await jumps.jumpTo('room', { seq: 100 });
  update((before) => withMessage(before, message(401), true).room);
  expect(shown()).toEqual(range(75, 124));
  expect(room().messages.at(-1)?.seq).toBe(401);
  expect(room().unread).toBe(1);
});

test('applies edits, deletions and resyncs to detached messages', async () => {
  await jumps.jumpTo('room', { seq: 100 });
  const content = 'edited';
  update((before) => withMessage(before, message(100, { rev: 401, content }), true).room);
  update((before) => withDeleted(before, { _id: 'm101', rev: 402 }, true).room);
  update((before) =>
    withChanges(before, {
      chat: createChatState({ rev: 404, readSeq: NEWEST }),
      rev: 404,
      updated: [message(102, { rev: 403, content })],
      deleted: [{ _id: 'm103', chatroom: 'room', seq: 103, rev: 404 }],
    }),
  );
  const texts = room().detached?.messages.map(({ seq, content: text }) => [seq, text]);
  expect(texts?.slice(25, 28)).toEqual([
    [100, 'edited'],
    [102, 'edited'],
    [104, 'text 104'],
  ]);
  update(withoutPartner);
  expect(shown()).toEqual(range(75, 124).filter((seq) => seq % 2 === 0));
});

test('only the latest of two jumps has an effect, whatever the order of the responses', async () => {
  isHeld = true;
  const first = jumps.jumpTo('room', { seq: 50 });
  const second = jumps.jumpTo('room', { seq: 200 });
  await vi.waitFor(() => expect(pending).toHaveLength(2));
  pending[1]?.();
  expect(await second).toEqual({ messageId: 'm200' });
  pending[0]?.();
  expect(await first).toEqual({ reason: 'superseded' });
  expect(shown()).toContain(200);
  expect(shown()).not.toContain(50);
});

test('going back to the newest messages cancels a running jump', async () => {
  isHeld = true;
  const jump = jumps.jumpTo('room', { seq: 50 });
  await vi.waitFor(() => expect(pending).toHaveLength(1));
  jumps.showNewest('room');
  pending[0]?.();
  expect(await jump).toEqual({ reason: 'superseded' });
  expect(room().detached).toBeUndefined();
});

test('late pages of an earlier jump are discarded', async () => {
  await jumps.jumpTo('room', { seq: 50 });
  isHeld = true;
  const newer = jumps.loadNewer('room');
  await vi.waitFor(() => expect(pending).toHaveLength(1));
  isHeld = false;
  await jumps.jumpTo('room', { seq: 200 });
  pending[0]?.();
  await newer;
  expect(shown()).toEqual(range(175, 224));
});

test.each([{ seq: 100 }, { seq: 100, messageId: 'm100' }, { seq: 360 }])(
  'tells that a message is deleted, and stays where it is: %j',
  async (target) => {
    deleted.add(target.seq);
    update((before) => withDeleted(before, { _id: `m${target.seq}`, rev: 401 }, true).room);
    rev = 401;
    expect(await jumps.jumpTo('room', target)).toEqual({ reason: 'missing' });
    expect(room().detached).toBeUndefined();
  },
);

test('fetches a page again that is older than the changes that were applied meanwhile', async () => {
  isHeld = true;
  const jump = jumps.jumpTo('room', { seq: 100 });
  await vi.waitFor(() => expect(pending).toHaveLength(1));
  update((before) => withMessage(before, message(100, { rev: 401, content: 'new' }), true).room);
  rev = 401;
  isHeld = false;
  pending[0]?.();
  await jump;
  expect(shown()).toContain(100);
});

test('requests nothing for a position that no message can have', async () => {
  update((before) => ({ ...before, messages: [] }));
  expect(await jumps.jumpTo('room', { seq: 0 })).toEqual({ reason: 'missing' });
  expect(pending).toEqual([]);
});

test('rejects a jump while offline', async () => {
  const call = vi
    .fn<() => Promise<never>>()
    .mockRejectedValue(new ApiError('offline', 0, 'offline'));
  const offline = createJumps(
    { call } as unknown as ApiClient,
    { rooms, quotes },
    new AbortController().signal,
  );
  await expect(offline.jumpTo('room', { seq: 100 })).rejects.toMatchObject({ code: 'offline' });
});

test('quotes follow edits and deletions of loaded and unloaded originals', () => {
  const old = message(10);
  const near = message(399);
  const set = (seq: number, original: Message): void =>
    update((before) => withMessage(before, replyTo(seq, original), true).room);
  set(401, old);
  set(402, near);
  const quoted = (): (string | undefined)[] =>
    room()
      .messages.slice(-2)
      .map(({ replyTo: quote }) => (quote?.isDeleted ? undefined : quote?.content));
  expect(quoted()).toEqual(['text 10', 'text 399']);
  const content = 'edited';
  update((before) => withMessage(before, { ...old, content, rev: 403 }, true).room);
  update((before) => withMessage(before, { ...near, content, rev: 404 }, true).room);
  expect(quoted()).toEqual(['edited', 'edited']);
  // An event that arrives twice or late.
  update((before) => withMessage(before, { ...old, rev: 10 }, true).room);
  expect(quoted()).toEqual(['edited', 'edited']);
  update((before) => withDeleted(before, { _id: old._id, rev: 405 }, true).room);
  expect(quoted()).toEqual([undefined, 'edited']);
  expect(JSON.stringify(room().messages.slice(-2))).not.toContain('text 10');
  update(withoutPartner);
  expect(room().messages.at(-1)?.replyTo).toEqual(toDeletedQuote({ messageId: 'm399', seq: 399 }));
});

test('a resync with only the original updates the quotes of its replies', () => {
  update((before) => withMessage(before, replyTo(401, message(10)), true).room);
  const changes: Changes['rooms'][number] = {
    chat: createChatState({ rev: 402, readSeq: NEWEST }),
    rev: 402,
    updated: [message(10, { content: 'edited', rev: 402 })],
    deleted: [],
  };
  update((before) => withChanges(before, changes));
  expect(room().messages.at(-1)?.replyTo?.content).toBe('edited');
  const gone = { _id: 'm10', chatroom: 'room', seq: 10, rev: 403 };
  update((before) => withChanges(before, { ...changes, rev: 403, updated: [], deleted: [gone] }));
  expect(room().messages.at(-1)?.replyTo).toEqual(toDeletedQuote({ messageId: 'm10', seq: 10 }));
});

test('unaffected messages keep their identity', () => {
  update((before) => withMessage(before, replyTo(401, message(10)), true).room);
  const before = room().messages;
  update((now) => withMessage(now, message(402), true).room);
  expect(room().messages.slice(0, -1)).toEqual(before);
  expect(
    room()
      .messages.slice(0, -1)
      .every((each, i) => each === before[i]),
  ).toBe(true);
});

test('finds the quote of an unsent reply, loads one that is not loaded, and forgets deleted ones', async () => {
  const resolve = (seq: number): unknown =>
    resolveQuote(room(), { messageId: `m${seq}`, seq }, quotes.getState().quotes);
  expect(resolve(360)).toEqual(quoteOf(message(360)));
  expect(resolve(10)).toBeUndefined();
  await jumps.loadQuote('room', { messageId: 'm10', seq: 10 });
  expect(resolve(10)).toEqual(quoteOf(message(10)));
  quotes.getState().update(message(10, { content: 'edited' }));
  expect(resolve(10)).toMatchObject({ content: 'edited' });
  quotes.getState().setDeleted('m10');
  expect(resolve(10)).toEqual(toDeletedQuote({ messageId: 'm10', seq: 10 }));
  deleted.add(11);
  await jumps.loadQuote('room', { messageId: 'm11', seq: 11 });
  expect(resolve(11)).toMatchObject({ isDeleted: true });
  // A message between the loaded ones that is not there.
  update((before) => withDeleted(before, { _id: 'm360', rev: 401 }, true).room);
  expect(resolve(360)).toMatchObject({ isDeleted: true });
});
