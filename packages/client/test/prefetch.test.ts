import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  createMemoryLocks,
  createMemoryStorageArea,
  findLoadedChatroom,
  type Client,
  type MemoryStorageArea,
  type Platform,
  type LoadedChatroom,
} from '../src/index.ts';
import { eraseUserStorage } from '../src/storage/user-storage.ts';
import { PREFETCHED_CHATS } from '../src/sync/prefetch-chatrooms.ts';
import { DEFAULT_TIMING } from '../src/timing.ts';
import { sessionOf } from './session-of.ts';

let server: TestServer;
let ada: TestUser;
/** What the tabs of Ada's browser share. */
let browser: Partial<Platform>;
let area: MemoryStorageArea;
let isOnline: boolean;
let requests: string[];
/** A path that fails with 500. */
let failing: string | undefined;
const clients: Client[] = [];

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

beforeEach(async () => {
  server = await startServer();
  ada = await server.signIn('Ada');
  area = createMemoryStorageArea();
  browser = { openStorage: async () => area.open(), locks: createMemoryLocks() };
  isOnline = true;
  requests = [];
  failing = undefined;
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  await server.close();
});

/** Lets a user write to Ada. Returns the chatroom's id. */
async function writeToAda(name: string, content: string): Promise<string> {
  const user = await server.signIn(name);
  const body = { partnerName: 'Ada', content };
  return (await user.request('POST', '/api/chatrooms/create', body)).body.chatroomId;
}

function start(): Client {
  const session = sessionOf(ada);
  const send: typeof fetch = async (input, init) => {
    if (!isOnline) throw new TypeError('no network');
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    if (pathname === failing) return new Response(null, { status: 500 });
    return session.fetch(request);
  };
  const headers = () => (isOnline ? session.headers() : {});
  const client = createClient({
    api: createApiClient({ origin: server.url, fetch: send, retryDelay: 1 }),
    username: 'Ada',
    platform: createHeadlessPlatform(
      { fetch: send, headers },
      { ...browser, isOnline: () => isOnline },
    ),
    timing: { ...DEFAULT_TIMING, prefetchDelay: 1, copyWriteThrottle: 1 },
  });
  clients.push(client);
  return client;
}

/** Returns the texts of the stored chatrooms. */
async function storedTexts(): Promise<string[]> {
  const storage = area.open();
  const records = await storage.getAll('rooms');
  storage.close();
  return records
    .flatMap(({ value }) => (value as LoadedChatroom).messages.map(({ content }) => content))
    .toSorted();
}

const opened = () => requests.filter((path) => /^\/api\/chatrooms\/chats\/[^/]+$/.test(path));

test('chats that were never opened on this device open offline', async () => {
  const fromBob = await writeToAda('Bob', 'from Bob');
  const fromCarl = await writeToAda('Carl', 'from Carl');
  await ada.request('POST', `/api/chatrooms/chats/${fromCarl}/mark-as-read`);
  start();
  await until(() => expect(opened()).toHaveLength(2));
  await until(async () => expect(await storedTexts()).toEqual(['from Bob', 'from Carl']));
  for (const client of clients.splice(0)) client.dispose();

  isOnline = false;
  const later = start();
  for (const [id, content] of [
    [fromBob, 'from Bob'],
    [fromCarl, 'from Carl'],
  ] as const) {
    await later.open(id);
    expect(findLoadedChatroom(later.rooms.getState(), id)?.messages).toMatchObject([{ content }]);
  }
  expect(opened()).toHaveLength(2);
});

test('only the most recent chats are fetched, and no quiet requests', async () => {
  await ada.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
  await writeToAda('Quiet', 'a request');
  await ada.request('PATCH', '/api/users/settings', { whoMayWrite: 'everyone' });
  const ids: string[] = [];
  for (let i = 0; i <= PREFETCHED_CHATS; i += 1) ids.push(await writeToAda(`User${i}`, 'hi'));
  start();
  await until(() => expect(opened()).toHaveLength(PREFETCHED_CHATS));
  const fetched = new Set(opened().map((path) => path.split('/').at(-1)));
  expect(fetched).toEqual(new Set(ids.slice(1)));
});

test('a chat that the server cannot read does not keep the others from being fetched', async () => {
  for (const name of ['Bob', 'Carl', 'Dora', 'Eve']) await writeToAda(name, `from ${name}`);
  failing = `/api/chatrooms/chats/${await writeToAda('Frank', 'from Frank')}`;
  start();
  await until(async () => {
    expect(await storedTexts()).toEqual(['from Bob', 'from Carl', 'from Dora', 'from Eve']);
  });
});

test('a chat that is fetched while another tab erases the copy does not stay on the device', async () => {
  await writeToAda('Bob', 'from Bob');
  const reached = Promise.withResolvers<void>();
  const erased = Promise.withResolvers<void>();
  browser.openStorage = async () => {
    const storage = area.open();
    return {
      ...storage,
      update: async (collection, key, change) => {
        if (collection === 'rooms') {
          reached.resolve();
          await erased.promise;
        }
        await storage.update(collection, key, change);
      },
    };
  };
  const client = start();
  await reached.promise;
  const otherTab = area.open();
  await eraseUserStorage(createHeadlessPlatform(undefined, browser), otherTab, 'Ada', 'logout');
  erased.resolve();
  client.dispose({ ended: 'logout' });
  // Resolves after what the first tab still writes.
  await until(async () => expect(await otherTab.getAll('rooms')).toEqual([]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await storedTexts()).toEqual([]);
  otherTab.close();
});
