import type { ChatList, ChatSummary } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from '../api/client.ts';
import { toChat } from '../stores/chat-list.ts';
import { createChatsStore } from '../stores/chats.ts';
import { createChatListLoader, type ChatListLoader } from './chat-list-loader.ts';

type Respond = (request: Request) => Response | Promise<Response>;

let chats: ReturnType<typeof createChatsStore>;
let loader: ChatListLoader;
/** The `If-None-Match` header of each request so far. */
let requests: (string | null)[];
let responses: Respond[];
let otherUsers: number;

const summary = (chatId: string, unread = 0): ChatSummary => ({
  chatId,
  usernames: ['Bob'],
  isDeletedAccount: false,
  lastMessage: null,
  currentUserId: 'u1',
  timestamps: [],
  activeAt: '2025-03-20T09:00:00.000Z',
  unreadMessagesCount: unread,
  rev: 1,
});

function list(chatrooms: ChatSummary[], currentUsername = 'Ada'): Respond {
  const body: ChatList = { chatrooms, currentUsername, volume: 'middle' };
  return () => Response.json(body, { headers: { etag: `"${chatrooms.length}"` } });
}

let statusVersion: number;

const ids = (): string[] => chats.getState().chats.map(({ id }) => id);

beforeEach(() => {
  requests = [];
  responses = [];
  otherUsers = 0;
  statusVersion = 0;
  chats = createChatsStore();
  loader = createChatListLoader({
    api: createApiClient({
      origin: 'http://localhost',
      fetch: async (input, init) => {
        const request = new Request(input, init);
        requests.push(request.headers.get('if-none-match'));
        return responses.shift()?.(request) ?? Response.error();
      },
    }),
    chats,
    username: 'Ada',
    onOtherUser: () => {
      otherUsers += 1;
    },
    getStatusVersion: () => statusVersion,
  });
});

afterEach(() => {
  loader.stop();
  vi.useRealTimers();
});

test('fetches the list again only if it has changed', async () => {
  responses = [list([summary('a'), summary('b')]), () => new Response(null, { status: 304 })];
  expect(chats.getState().status).toBe('loading');
  await loader.load();
  expect(chats.getState().status).toBe('ready');
  const before = chats.getState().chats;
  await loader.load();
  expect(ids()).toEqual(['a', 'b']);
  expect(chats.getState().chats[0]).toBe(before[0]);
  expect(requests).toEqual([null, '"2"']);
});

test('throttles many requests to one', async () => {
  vi.useFakeTimers();
  responses = [list([summary('a')])];
  for (let i = 0; i < 5; i += 1) loader.request();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(requests).toHaveLength(1);
  expect(ids()).toEqual(['a']);
});

test('retries a requested fetch after a temporary failure until it succeeds', async () => {
  vi.useFakeTimers();
  // Without a response, every request fails.
  loader.request();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ids()).toEqual([]);
  responses = [list([summary('a')])];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ids()).toEqual(['a']);
  const { length } = requests;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests).toHaveLength(length);
});

test('does not retry a requested fetch that the server refused', async () => {
  vi.useFakeTimers();
  responses = [() => Response.json({ code: 'forbidden', errorMessage: 'no' }, { status: 403 })];
  loader.request();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests).toHaveLength(1);
});

test('fetches again after a running request, whose response may be outdated', async () => {
  const slow = Promise.withResolvers<void>();
  responses = [
    async (request) => {
      await slow.promise;
      return list([summary('a')])(request);
    },
    list([summary('a'), summary('b')]),
  ];
  const first = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const loads = [first, loader.load(), loader.load()];
  slow.resolve();
  await Promise.all(loads);
  expect(requests).toHaveLength(2);
  expect(ids()).toEqual(['a', 'b']);
});

test('does not count a chatroom as unread that was read while the list was loading', async () => {
  const slow = Promise.withResolvers<void>();
  responses = [
    async (request) => {
      await slow.promise;
      return list([summary('a', 3)])(request);
    },
  ];
  const loading = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  loader.recordUnread('a', 0, 1);
  slow.resolve();
  await loading;
  expect(chats.getState().chats[0]?.unread).toBe(0);
});

test('keeps the newest receipt and settings that arrive while the list is loading', async () => {
  const slow = Promise.withResolvers<void>();
  responses = [
    async (request) => {
      await slow.promise;
      return list([{ ...summary('a'), partnerDeliveredSeq: 1, partnerReadSeq: 0 }])(request);
    },
  ];
  const loading = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  // The events arrive in another order than they were sent.
  loader.recordReceipt('a', { deliveredSeq: 3, readSeq: 3 });
  loader.recordReceipt('a', { deliveredSeq: 3, readSeq: 0 });
  loader.recordSettings('a', { version: 2, isPinned: true });
  loader.recordSettings('a', { version: 1 });
  slow.resolve();
  await loading;
  const [chat] = chats.getState().chats;
  expect(chat?.receipt).toEqual({ deliveredSeq: 3, readSeq: 3 });
  expect(chat?.settings).toEqual({ version: 2, isPinned: true });
});

test('refetches if a chatroom was read while a newer list was loading', async () => {
  const slow = Promise.withResolvers<void>();
  responses = [
    async (request) => {
      await slow.promise;
      // A message arrived after all were read.
      return list([summary('a', 1)])(request);
    },
    list([summary('a', 1)]),
  ];
  const loading = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  loader.recordUnread('a', 0, 0);
  slow.resolve();
  await loading;
  expect(chats.getState().chats[0]?.unread).toBe(1);
  await vi.waitFor(() => expect(requests).toHaveLength(2), 30_000);
});

test('replaces entries that are newer than those of a server restored from a backup', async () => {
  responses = [
    list([{ ...summary('a', 2), rev: 5 }]),
    list([{ ...summary('a', 1), rev: 3 }, summary('b')]),
  ];
  await loader.load();
  await loader.load();
  expect(chats.getState().chats).toMatchObject([
    { id: 'a', unread: 1, rev: 3 },
    { id: 'b', unread: 0, rev: 1 },
  ]);
});

test('keeps an entry that became newer while the list was loading', async () => {
  const slow = Promise.withResolvers<void>();
  responses = [
    list([summary('a')]),
    async (request) => {
      await slow.promise;
      return list([summary('a'), summary('b')])(request);
    },
  ];
  await loader.load();
  const loading = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  chats.getState().setChats([toChat({ ...summary('a', 1), rev: 2 })]);
  slow.resolve();
  await loading;
  const known = chats.getState().chats.find(({ id }) => id === 'a');
  expect(known).toMatchObject({ unread: 1, rev: 2 });
});

test('shows a failure only if no list is loaded', async () => {
  responses = [() => Response.json({ code: 'internal', errorMessage: 'no' }, { status: 500 })];
  await expect(loader.load()).rejects.toMatchObject({ code: 'internal' });
  expect(chats.getState().status).toBe('error');
  responses = [list([summary('a')])];
  await loader.load();
  responses = [() => Response.json({ code: 'internal', errorMessage: 'no' }, { status: 500 })];
  await expect(loader.load()).rejects.toMatchObject({ code: 'internal' });
  expect(chats.getState().status).toBe('ready');
  expect(ids()).toEqual(['a']);
});

test('does not show the list of another user who signed in in the same browser', async () => {
  responses = [list([summary('secret')], 'Mallory')];
  await expect(loader.load()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(otherUsers).toBe(1);
  expect(ids()).toEqual([]);
});

test('fetches nothing after it is stopped', async () => {
  loader.stop();
  loader.request();
  await expect(loader.load()).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('does not show a chat that was blocked while the list was being fetched', async () => {
  const outdated = list([summary('a'), summary('blocked')]);
  responses = [
    (request) => {
      statusVersion += 1;
      return outdated(request);
    },
    list([summary('a')]),
  ];
  const shown: string[] = [];
  chats.subscribe(() => shown.push(...ids()));
  await loader.load();
  expect(new Set(shown)).toEqual(new Set(['a']));
  expect(requests).toEqual([null, '"2"']);
});
