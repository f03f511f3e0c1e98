import type { ChatList, ChatState } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChatState } from '../../test/create-chat-state.ts';
import { createApiClient } from '../api/client.ts';
import type { ChatListLoader } from '../client-core.ts';
import { toChat } from '../stores/chat-list.ts';
import { createChatsStore } from '../stores/chats.ts';
import { createChatListLoader } from './chat-list-loader.ts';

type Respond = (request: Request) => Response | Promise<Response>;

let chats: ReturnType<typeof createChatsStore>;
let loader: ChatListLoader;
let stopping: AbortController;
/** The `If-None-Match` header of each request so far. */
let requests: (string | null)[];
let responses: Respond[];
let otherUsers: number;

const chat = (chatId: string, changes: Partial<ChatState> = {}): ChatState =>
  createChatState({ chatId, ...changes });

function list(chatrooms: ChatState[], currentUsername = 'Ada'): Respond {
  const body: ChatList = { chatrooms, currentUsername, volume: 'middle' };
  return () => Response.json(body, { headers: { etag: `"${chatrooms.length}"` } });
}

/** The ids of the listed chats, sorted. */
const ids = (): string[] =>
  chats
    .getState()
    .chats.map(({ id }) => id)
    .toSorted();

beforeEach(() => {
  requests = [];
  responses = [];
  otherUsers = 0;
  chats = createChatsStore();
  stopping = new AbortController();
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
    signal: stopping.signal,
    onOtherUser: () => {
      otherUsers += 1;
    },
  });
});

afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

test('fetches the list again only if it has changed', async () => {
  responses = [list([chat('a'), chat('b')]), () => new Response(null, { status: 304 })];
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
  responses = [list([chat('a')])];
  for (let i = 0; i < 5; i += 1) loader.request();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(requests).toHaveLength(1);
  expect(ids()).toEqual(['a']);
});

test('fetches nothing if what was missing arrives before the throttle ends', async () => {
  vi.useFakeTimers();
  let isMissing = true;
  loader.request(() => isMissing);
  isMissing = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(requests).toEqual([]);

  responses = [list([])];
  for (const isStillMissing of [true, false]) {
    isMissing = true;
    loader.request(() => isMissing);
    loader.request(() => isMissing && isStillMissing);
    isMissing = isStillMissing;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(requests).toHaveLength(1);
  }
});

test('retries a requested fetch after a temporary failure until it succeeds', async () => {
  vi.useFakeTimers();
  // Without a response, every request fails.
  loader.request();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ids()).toEqual([]);
  responses = [list([chat('a')])];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ids()).toEqual(['a']);
  const { length } = requests;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests).toHaveLength(length);
});

test('does not retry a requested fetch that the server refused', async () => {
  vi.useFakeTimers();
  responses = [
    () => Response.json({ code: 'account_suspended', errorMessage: 'no' }, { status: 403 }),
  ];
  loader.request();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests).toHaveLength(1);
});

test('fetches again after a running request, whose response may be outdated', async () => {
  const slow = Promise.withResolvers<void>();
  responses = [
    async (request) => {
      await slow.promise;
      return list([chat('a')])(request);
    },
    list([chat('a'), chat('b')]),
  ];
  const first = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const loads = [first, loader.load(), loader.load()];
  slow.resolve();
  await Promise.all(loads);
  expect(requests).toHaveLength(2);
  expect(ids()).toEqual(['a', 'b']);
});

/** Makes the server respond with a list that is as old as the request. */
function respondLater(...chatrooms: ChatState[]): () => void {
  const slow = Promise.withResolvers<void>();
  responses.push(async (request) => {
    await slow.promise;
    return list(chatrooms)(request);
  });
  return slow.resolve;
}

test('keeps what arrives while a list is loading, and fetches nothing more', async () => {
  responses = [list([chat('a'), chat('b'), chat('blocked')])];
  await loader.load();
  const respond = respondLater(
    chat('a', { unreadMessagesCount: 3 }),
    chat('b', { partnerDeliveredSeq: 1, partnerReadSeq: 0 }),
    chat('blocked'),
    chat('c'),
  );
  const loading = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  const { setChat } = chats.getState();
  const receipt = { partnerDeliveredSeq: 3, partnerReadSeq: 3 };
  setChat(toChat(chat('a', { memberRev: 1, readSeq: 3 })));
  setChat(toChat(chat('b', { rev: 2, memberRev: 1, settings: { isPinned: true }, ...receipt })));
  setChat(toChat(chat('blocked', { memberRev: 1, status: 'blocked' })));
  const shown: string[] = [];
  chats.subscribe(() => shown.push(...ids()));
  respond();
  await loading;
  const find = (id: string) => chats.getState().chats.find((each) => each.id === id);
  expect(find('a')).toMatchObject({ unread: 0, readSeq: 3 });
  expect(find('b')).toMatchObject({
    rev: 2,
    receipt: { deliveredSeq: 3, readSeq: 3 },
    settings: { isPinned: true },
  });
  expect(new Set(shown)).toEqual(new Set(['a', 'b', 'c']));
  expect(requests).toHaveLength(2);
});

test('keeps what arrives while the first list is loading', async () => {
  const respond = respondLater(chat('a', { unreadMessagesCount: 3 }), chat('blocked'));
  const loading = loader.load();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  chats.getState().setChat(toChat(chat('a', { memberRev: 1, readSeq: 3 })));
  chats.getState().setChat(toChat(chat('blocked', { memberRev: 1, status: 'blocked' })));
  respond();
  await loading;
  expect(chats.getState().chats).toMatchObject([{ id: 'a', unread: 0 }]);
});

test('replaces chats that are newer than those of a server restored from a backup', async () => {
  responses = [
    list([chat('a', { unreadMessagesCount: 2, rev: 5 })]),
    list([chat('a', { unreadMessagesCount: 1, rev: 3 }), chat('b')]),
  ];
  await loader.load();
  await loader.load();
  expect(chats.getState().chats.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
    { id: 'a', unread: 1, rev: 3 },
    { id: 'b', unread: 0, rev: 1 },
  ]);
});

test('shows a failure only if no list is loaded', async () => {
  responses = [() => Response.json({ code: 'internal', errorMessage: 'no' }, { status: 500 })];
  await expect(loader.load()).rejects.toMatchObject({ code: 'internal' });
  expect(chats.getState().status).toBe('error');
  responses = [list([chat('a')])];
  await loader.load();
  responses = [() => Response.json({ code: 'internal', errorMessage: 'no' }, { status: 500 })];
  await expect(loader.load()).rejects.toMatchObject({ code: 'internal' });
  expect(chats.getState().status).toBe('ready');
  expect(ids()).toEqual(['a']);
});

test('does not show the list of another user who signed in in the same browser', async () => {
  responses = [list([chat('secret')], 'Mallory')];
  await expect(loader.load()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(otherUsers).toBe(1);
  expect(ids()).toEqual([]);
});

test('fetches nothing after it is stopped', async () => {
  stopping.abort();
  loader.request();
  await expect(loader.load()).rejects.toThrow();
  expect(requests).toEqual([]);
});
