import type { Changes } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from '../api/client.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createMutationsStore } from '../mutations/mutations-store.ts';
import { createOutboxStore } from '../outbox/outbox-store.ts';
import type { Chat } from '../stores/chat-list.ts';
import { createClientStores, type ClientStores } from '../client-stores.ts';
import { quoteOf } from '../stores/quotes.ts';
import { findLoadedRoom } from '../stores/rooms.ts';
import { resyncRooms } from './resync.ts';

let stores: ClientStores;
const sendRead = vi.fn<(chatroomId: string, seq: number) => Promise<void>>();
const chatList = { request: vi.fn<() => void>(), recordUnread: vi.fn<() => void>() };

const onBlocked = vi.fn<(chatroomId: string) => void>();

/** The server's state of the chatroom. */
let response: Partial<Changes['rooms'][number]>;

const message = (seq: number) => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username: 'Bob' },
  createdAt: '2025-03-20T09:00:00.000Z',
  updatedAt: '2025-03-20T09:00:00.000Z',
  seq,
  rev: seq,
  kind: 'text' as const,
});

/** Loads a chatroom with three messages. */
function load(readSeq: number): void {
  const room = {
    id: 'room',
    partnerName: 'Bob',
    currentUsername: 'Ada',
    messages: [1, 2, 3].map(message),
    hasMore: false,
    rev: 3,
    readSeq,
    unread: 3 - readSeq,
    deletedRevs: new Map(),
  };
  stores.rooms.getState().setEntry('room', { status: 'ready', room, isLoadingOlder: false });
}

/** Loads the chat list as of a revision. */
function list(rev: number, unread: number): void {
  const { content, createdAt: time } = message(rev);
  const last = { content, kind: 'text' as const, isOwn: false };
  const sortKey = { id: 'room', isDeleted: false, activeAt: time };
  const chat: Chat = { ...sortKey, names: ['Bob'], last, time, unread, rev };
  stores.chats.getState().setChats([chat]);
}

/** Resyncs with responses that each contain a part of the changes; the last one is repeated. */
function resync(...parts: Partial<Changes['rooms'][number]>[]) {
  const left = parts.length > 0 ? parts : [response];
  const api = createApiClient({
    origin: 'http://localhost',
    fetch: async () => {
      const part = left.length > 1 ? left.shift() : left[0];
      const room = { chatId: 'room', updated: [], deleted: [], partnerName: 'Bob', ...part };
      return Response.json({ rooms: [room], gone: [], hasMore: parts.length > 0 });
    },
  });
  const getStatusVersion = (): number => 0;
  return resyncRooms({ api, stores, chatList, sendRead, getStatusVersion, onBlocked });
}

beforeEach(() => {
  vi.clearAllMocks();
  const platform = createHeadlessPlatform();
  const deps = { platform, username: 'Ada', opened: Promise.resolve(undefined) };
  const { store: outbox } = createOutboxStore({ ...deps, onRead: () => undefined });
  const { store: mutations } = createMutationsStore(deps);
  stores = { ...createClientStores(platform, 'Ada', deps.opened), outbox, mutations };
});

test('sends a read position that the server does not know', async () => {
  load(3);
  response = { rev: 3, readSeq: 1, unreadMessagesCount: 2 };
  await resync();
  expect(sendRead).toHaveBeenCalledExactlyOnceWith('room', 3);
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({ readSeq: 3, unread: 0 });
  response = { rev: 3, readSeq: 3, unreadMessagesCount: 0 };
  await resync();
  expect(sendRead).toHaveBeenCalledOnce();
});

test('fetches changes in parts until the server sends no more', async () => {
  load(3);
  const part = (seq: number) => ({
    rev: seq,
    readSeq: 3,
    unreadMessagesCount: seq - 3,
    updated: [message(seq)],
  });
  // The last part again, although the server says that there are more.
  await resync(part(4), part(5), part(6), part(6));
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({
    rev: 6,
    messages: [1, 2, 3, 4, 5, 6].map((seq) => ({ seq })),
  });
});

test('does not count a message newer than the chat list, as its event will count it', async () => {
  load(3);
  list(3, 0);
  response = { rev: 4, readSeq: 3, unreadMessagesCount: 1, updated: [message(4)] };
  await resync();
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({ rev: 4, unread: 1 });
  expect(stores.chats.getState().chats[0]?.unread).toBe(0);
  expect(chatList.request).toHaveBeenCalledOnce();
});

test('reports a chatroom that was blocked elsewhere once, unless it is open as a blocked one', async () => {
  load(3);
  response = { rev: 3, readSeq: 3, unreadMessagesCount: 0, isBlocked: true };
  await resync();
  expect(onBlocked).toHaveBeenCalledExactlyOnceWith('room');
  stores.rooms.getState().update('room', (room) => ({ ...room, isBlocked: true }));
  await resync();
  expect(onBlocked).toHaveBeenCalledOnce();
});

test('removes what the partner wrote before the user declined a request elsewhere', async () => {
  load(3);
  response = { rev: 4, readSeq: 2, clearedSeq: 2, unreadMessagesCount: 2, updated: [message(4)] };
  expect(await resync()).toEqual(new Set());
  const room = findLoadedRoom(stores.rooms.getState(), 'room');
  expect(room?.messages.map(({ seq }) => seq)).toEqual([3, 4]);
});

test('updates the remembered quotes of messages that are not loaded', async () => {
  load(3);
  const { quotes } = stores;
  for (const seq of [4, 5]) quotes.getState().remember(quoteOf(message(seq)));
  const edited = { ...message(4), content: 'edited', rev: 6 };
  const deleted = { _id: 'm5', chatroom: 'room', seq: 5, rev: 7 };
  response = { rev: 7, readSeq: 3, unreadMessagesCount: 0, updated: [edited], deleted: [deleted] };
  await resync();
  expect(quotes.getState().quotes).toMatchObject({
    m4: { content: 'edited' },
    m5: { content: '', isDeleted: true },
  });
});
