import type { Chatroom, Message } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from './api/client.ts';
import { createHeadlessPlatform } from './headless-platform.ts';
import { createMutationsStore } from './mutations/mutations-store.ts';
import { createOutboxStore } from './outbox/outbox-store.ts';
import { createRoomActions, applyRead, type RoomActions } from './room-actions.ts';
import { createClientStores, type ClientStores } from './client-stores.ts';
import { withDeleted, type Room } from './stores/room.ts';
import { findLoadedRoom, type RoomEntry } from './stores/rooms.ts';
import { createChatStatuses } from './sync/chat-status.ts';
import { createRoomLoader, type RoomLoader } from './sync/room-loader.ts';

let stores: ClientStores;
let actions: RoomActions;
let roomLoader: RoomLoader;
let requests: string[];
let respond: (request: Request) => Response | Promise<Response>;
let latestRev: number;
/** How long nothing may happen. */
const UNEXPECTED_MS = 100;

const sendRead = vi.fn<(chatroomId: string, seq: number) => Promise<void>>();
const recordUnread = vi.fn<(chatroomId: string, unread: number, rev?: number) => void>();
const requestList = vi.fn<() => void>();
/** The offline copy of the chatroom. */
let stored: Room | undefined;

const message = (seq: number, sender = 'Bob'): Message => ({
  _id: `m${seq}`,
  chatroom: 'room',
  content: `text ${seq}`,
  sender: { username: sender },
  createdAt: '2025-03-20T09:00:00.000Z',
  updatedAt: '2025-03-20T09:00:00.000Z',
  seq,
  rev: seq,
  kind: 'text',
});

/** Creates the server's page of a chatroom with the messages 1 to `last`. */
function page(last: number, readSeq: number, search: URLSearchParams): Chatroom {
  const before = Number(search.get('before') ?? last + 1);
  const limit = Number(search.get('limit') ?? 50);
  const first = Math.max(1, before - limit);
  return {
    chatroomMessages: Array.from({ length: before - first }, (_, i) => message(first + i)),
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: last - readSeq,
    volume: 'middle',
    hasMore: first > 1,
    readSeq,
    rev: last,
  };
}

const failure = (status: number, code: string): Response =>
  Response.json({ errorMessage: 'no', code }, { status });
const entry = (): RoomEntry | undefined => stores.rooms.getState().rooms['room'];
const seqs = (): number[] =>
  findLoadedRoom(stores.rooms.getState(), 'room')?.messages.map(({ seq }) => seq) ?? [];

/** Makes the server respond with the messages 1 to `last` of a chatroom. */
function serve(last: number, readSeq = last): void {
  respond = (request) => Response.json(page(last, readSeq, new URL(request.url).searchParams));
}

beforeEach(() => {
  vi.clearAllMocks();
  requests = [];
  latestRev = 0;
  stored = undefined;
  const platform = createHeadlessPlatform();
  const opened = Promise.resolve(undefined);
  const { store: outbox } = createOutboxStore({
    platform,
    username: 'Ada',
    opened,
    onRead: () => undefined,
  });
  const { store: mutations } = createMutationsStore({ platform, username: 'Ada', opened });
  stores = { ...createClientStores(platform, 'Ada', opened), outbox, mutations };
  const api = createApiClient({
    origin: 'http://localhost',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      return respond(request);
    },
  });
  const chatList = { recordUnread, request: requestList };
  roomLoader = createRoomLoader({
    api,
    stores,
    chatList,
    copy: { findRoom: async () => stored },
    sendRead,
    getLatestRev: () => latestRev,
    getStatusVersion: () => statuses.getVersion(),
    onBlocked: (chatroomId) => statuses.apply(chatroomId, 'blocked'),
    signal: new AbortController().signal,
    timing: { resyncRetryMin: 1, resyncRetryMax: 4 },
  });
  const statuses = createChatStatuses({
    stores,
    chatList,
    roomLoader,
    updateStoredRoom: () => undefined,
    forgetRead: () => undefined,
  });
  actions = createRoomActions({ api, stores, chatList, roomLoader, sendRead, statuses });
});

test('loads a chatroom once, even if it is opened repeatedly', async () => {
  serve(3);
  const both = [actions.open('room'), actions.open('room')];
  expect(entry()).toEqual({ status: 'loading' });
  await Promise.all(both);
  await actions.open('room');
  expect(seqs()).toEqual([1, 2, 3]);
  expect(requests).toHaveLength(1);
});

test('resyncs a chatroom that changed while it was loading', async () => {
  serve(3);
  latestRev = 4;
  await actions.open('room');
  await vi.waitFor(() => expect(requests.at(-1)).toBe('POST /api/chatrooms/changes'));
});

/** Creates the response of a resync without changes. */
const unchanged = (rev: number): Response =>
  Response.json({
    rooms: [
      {
        chatId: 'room',
        rev,
        updated: [],
        deleted: [],
        partnerName: 'Bob',
        readSeq: rev,
        unreadMessagesCount: 0,
      },
    ],
    gone: [],
    hasMore: false,
  });
/** Waits for a condition. The long timeout is for slow machines. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });
const resyncs = (): number => requests.filter((request) => request.startsWith('POST')).length;

test('does not show a message again that was deleted while a request was loading', async () => {
  serve(3);
  await actions.open('room');
  const [outdated, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const servePage = respond;
  respond = async (request) => {
    // A server that was restored from a backup, whose chatrooms are reloaded.
    if (request.method === 'POST') return unchanged(2);
    sent.resolve();
    await outdated.promise;
    return servePage(request);
  };
  const resynced = roomLoader.resync('room');
  await sent.promise;
  stores.rooms
    .getState()
    .update('room', (room) => withDeleted(room, { _id: 'm1', rev: 4 }, true).room);
  const shown: number[][] = [];
  stores.rooms.subscribe(() => shown.push(seqs()));
  outdated.resolve();
  await resynced;
  expect(shown).toEqual([[2, 3]]);
});

test('retries the resync of a chatroom that changed while it was loading', async () => {
  stores.connection.getState().setStatus('online');
  serve(3);
  const servePage = respond;
  const failures = [failure(503, 'unavailable'), failure(429, 'rate_limited')];
  respond = (request) =>
    request.method === 'GET' ? servePage(request) : (failures.shift() ?? unchanged(4));
  latestRev = 4;
  await actions.open('room');
  await until(() => {
    expect(findLoadedRoom(stores.rooms.getState(), 'room')?.rev).toBe(4);
  });
  expect(resyncs()).toBe(3);
});

test('resyncs a chatroom at most twice for many missed changes at once', async () => {
  serve(3);
  await actions.open('room');
  respond = () => unchanged(4);
  for (let i = 0; i < 20; i += 1) roomLoader.requestResync('room');
  await until(() => expect(resyncs()).toBe(2));
  roomLoader.requestResync('room');
  await until(() => expect(resyncs()).toBe(3));
});

test('does not retry the resync of a chatroom that the server refuses', async () => {
  stores.connection.getState().setStatus('online');
  serve(3);
  await actions.open('room');
  const responses = [failure(403, 'forbidden')];
  respond = () => responses.shift() ?? unchanged(4);
  roomLoader.requestResync('room');
  await until(() => expect(resyncs()).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, UNEXPECTED_MS));
  expect(resyncs()).toBe(1);
});

test('loads a chatroom back to its first unread message', async () => {
  serve(300, 20);
  await actions.open('room');
  expect(Math.min(...seqs())).toBeLessThanOrEqual(21);
  expect(seqs().at(-1)).toBe(300);
});

test('marks an unknown chatroom as missing, and reopens a chatroom that failed to load', async () => {
  respond = () => failure(404, 'room_not_found');
  await actions.open('room');
  expect(entry()).toEqual({ status: 'missing' });
  respond = () => failure(429, 'rate_limited');
  await actions.open('room');
  expect(entry()).toMatchObject({ status: 'error', error: { code: 'rate_limited' } });
  serve(1);
  await actions.open('room');
  expect(seqs()).toEqual([1]);
});

test('loads older messages one page at a time, and never concurrently', async () => {
  serve(120);
  await actions.open('room');
  expect(seqs()[0]).toBe(71);
  await Promise.all([actions.loadOlder('room'), actions.loadOlder('room')]);
  expect(seqs()[0]).toBe(21);
  await actions.loadOlder('room');
  expect(seqs()).toHaveLength(120);
  expect(requests).toHaveLength(3);
  await actions.loadOlder('room');
  expect(requests).toHaveLength(3);
});

test('loads older messages again after a failure', async () => {
  serve(120);
  await actions.open('room');
  respond = () => failure(429, 'rate_limited');
  await expect(actions.loadOlder('room')).rejects.toMatchObject({ code: 'rate_limited' });
  serve(120);
  await actions.loadOlder('room');
  expect(seqs()[0]).toBe(21);
});

test('keeps only the newest messages of a chatroom that the user leaves', async () => {
  serve(500);
  await actions.open('room');
  for (let pages = 0; pages < 9; pages += 1) await actions.loadOlder('room');
  expect(seqs()).toHaveLength(500);
  actions.leave('room');
  expect(seqs()).toHaveLength(200);
  expect(findLoadedRoom(stores.rooms.getState(), 'room')?.hasMore).toBe(true);
});

test('does not add an older page that no longer adjoins the messages in memory', async () => {
  serve(500);
  await actions.open('room');
  for (let pages = 0; pages < 4; pages += 1) await actions.loadOlder('room');
  const loading = actions.loadOlder('room');
  actions.leave('room');
  await loading;
  expect(seqs()).toEqual(Array.from({ length: 200 }, (_, i) => 301 + i));
  await actions.loadOlder('room');
  expect(seqs()[0]).toBe(251);
});

test('loads older messages although all messages in memory were deleted', async () => {
  serve(120);
  await actions.open('room');
  stores.rooms.getState().update('room', (room) => ({ ...room, messages: [] }));
  serve(70);
  await actions.loadOlder('room');
  expect(seqs()[0]).toBe(21);
  expect(seqs().at(-1)).toBe(70);
});

test('marks a chatroom as read immediately and notifies the server', async () => {
  serve(3, 1);
  await actions.open('room');
  await actions.markRead('room');
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({ readSeq: 3, unread: 0 });
  expect(recordUnread).toHaveBeenCalledWith('room', 0, 3);
  expect(sendRead).toHaveBeenCalledExactlyOnceWith('room', 3);
});

test('does not count a message again if the server has already counted it', async () => {
  serve(3, 1);
  await actions.open('room');
  const { content, createdAt: time } = message(3);
  const last = { content, kind: 'text' as const, isOwn: false };
  stores.chats.getState().setChats([
    {
      id: 'room',
      names: ['Bob'],
      isDeleted: false,
      last,
      time,
      activeAt: time,
      unread: 2,
      rev: 3,
    },
  ]);
  applyRead(stores, { recordUnread, request: requestList }, 'room', 3, 1);
  expect(stores.chats.getState().chats[0]?.unread).toBe(0);
});

test('shows the new text of an edited message once the server has accepted it', async () => {
  serve(2);
  await actions.open('room');
  respond = () => failure(403, 'forbidden');
  await expect(actions.edit(message(2), 'new')).rejects.toThrow();
  const content = () => findLoadedRoom(stores.rooms.getState(), 'room')?.messages[1]?.content;
  expect(content()).toBe('text 2');
  respond = () => Response.json({ ok: true });
  await actions.edit(message(2), 'new');
  expect(content()).toBe('new');
});

test('treats a message as deleted if another device has already deleted it', async () => {
  serve(2);
  await actions.open('room');
  respond = () => failure(404, 'message_not_found');
  await actions.remove(message(2));
  expect(seqs()).toEqual([1]);
  respond = () => failure(500, 'internal');
  await expect(actions.remove(message(1))).rejects.toMatchObject({ code: 'internal' });
  expect(seqs()).toEqual([1]);
});

test('accepts a request on the server before it does so locally', async () => {
  respond = () => Response.json({ ...page(3, 1, new URLSearchParams()), isRequest: true });
  await actions.open('room');
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({ isRequest: true });
  respond = () => failure(503, 'unavailable');
  await expect(actions.accept('room')).rejects.toMatchObject({ code: 'unavailable' });
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({ isRequest: true });
  respond = () => Response.json({ ok: true });
  await actions.accept('room');
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).not.toHaveProperty('isRequest');
});

test('forgets a blocked chat with everything unsent, and shows it again once it is unblocked', async () => {
  serve(3);
  await actions.open('room');
  const { outbox, drafts, readingPositions } = stores;
  drafts.getState().setDraft('room', 'half a sentence');
  readingPositions.getState().setPosition('room', { key: 'm1', seq: 1, offset: 0 });
  const unsent = {
    content: 'hi',
    createdAt: '2025-03-20T09:00:00.000Z',
    state: 'waiting',
  } as const;
  outbox.getState().add({ ...unsent, clientId: '1', to: { chatroomId: 'room' } });
  outbox.getState().add({ ...unsent, clientId: '2', to: { partnerName: 'bob' } });
  outbox.getState().add({ ...unsent, clientId: '3', to: { chatroomId: 'other' } });
  respond = () => Response.json({ ok: true });
  await actions.block('room');
  expect(entry()).toEqual({ status: 'missing', isHidden: true });
  expect(outbox.getState().entries).toMatchObject([{ clientId: '3' }]);
  expect(drafts.getState().drafts).toEqual({});
  expect(readingPositions.getState().positions.size).toBe(0);

  const blocked = { ...page(3, 3, new URLSearchParams()), isBlocked: true };
  respond = () => Response.json(blocked);
  await actions.open('room');
  expect(findLoadedRoom(stores.rooms.getState(), 'room')).toMatchObject({ isBlocked: true });
  const changed = { chatId: 'room', updated: [], deleted: [], partnerName: 'Bob' };
  const rooms = [{ ...changed, rev: 3, readSeq: 3, unreadMessagesCount: 0 }];
  respond = () => Response.json({ ok: true, rooms, gone: [], hasMore: false });
  await actions.unblock('room');
  await vi.waitFor(() =>
    expect(findLoadedRoom(stores.rooms.getState(), 'room')).not.toHaveProperty('isBlocked'),
  );
});

test('keeps a blocked chat open that was first shown from a copy from before the block', async () => {
  serve(3);
  await actions.open('room');
  stored = findLoadedRoom(stores.rooms.getState(), 'room');
  stores.rooms.getState().removeEntry('room');
  stores.drafts.getState().setDraft('room', 'half a sentence');
  const changed = { chatId: 'room', updated: [], deleted: [], partnerName: 'Bob' };
  const rooms = [{ ...changed, rev: 3, readSeq: 3, unreadMessagesCount: 0, isBlocked: true }];
  respond = () => Response.json({ rooms, gone: [], hasMore: false });
  await actions.open('room');
  expect(entry()).toMatchObject({ status: 'ready', isFromCopy: false, room: { isBlocked: true } });
  expect(stores.drafts.getState().drafts).toEqual({});
});
