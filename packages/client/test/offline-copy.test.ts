import { initialSettings } from '@parley/contract/schemas';
import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import type { Message } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  ApiError,
  createMemoryLocks,
  createMemoryStorage,
  createMemoryStorageArea,
  findLoadedChatroom,
  STORAGE_COLLECTIONS,
  type Client,
  type ClientDeps,
  type ClientStorage,
  type MemoryStorageArea,
  type Platform,
  type StorageCollection,
} from '../src/index.ts';
import { signUp, type SignedInUser } from './signed-in-client.ts';

let server: RunningServer;
let ada: SignedInUser;
let bob: SignedInUser;
let carl: SignedInUser;
let chatroomId: string;
let clients: Client[];
/** The browser of this test, shared by its tabs. */
let browser: Partial<Platform>;
let area: MemoryStorageArea;

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  ada = await signUp(server, 'Ada');
  bob = await signUp(server, 'Bob');
  carl = await signUp(server, 'Carl');
});

afterAll(() => server.dispose());

let isStopped = false;

async function stopServer(): Promise<void> {
  await server.stop();
  isStopped = true;
}

async function startServer(): Promise<void> {
  await server.start();
  isStopped = false;
}

let rounds = 0;

beforeEach(async () => {
  clients = [];
  area = createMemoryStorageArea();
  browser = {
    storage: createMemoryStorage(),
    openStorage: async () => area.open(),
    locks: createMemoryLocks(),
  };
  rounds += 1;
  const created = await ada.api.call('createChatroom', {
    body: {
      partnerName: 'Bob',
      content: `hello ${rounds}`,
    },
  });
  ({ chatroomId } = created);
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const client of clients) client.dispose();
  if (isStopped) await startServer();
});

/** Opens a tab of the browser. */
function openTab(user: SignedInUser, events?: ClientDeps['events']): Client {
  const client = user.createClient({ platform: browser, ...(events && { events }) });
  clients.push(client);
  return client;
}

/** Closes a tab. Resolves once its data is written. */
async function close(client: Client): Promise<void> {
  client.dispose();
  await flushStorage();
}

/** Waits for the memory storage to complete all writes, which takes a few event loop turns. */
async function flushStorage(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((done) => setImmediate(done));
}

/** Returns all stored data of the browser. */
async function readStored(...collections: readonly StorageCollection[]): Promise<string> {
  const storage = area.open();
  const wanted = collections.length > 0 ? collections : STORAGE_COLLECTIONS;
  const found = await Promise.all(wanted.map((each) => storage.getAll(each)));
  storage.close();
  return JSON.stringify(found);
}

/** Opens a tab with the chatroom and waits until it is online. */
async function readChatroom(user: SignedInUser, id = chatroomId): Promise<Client> {
  const client = openTab(user);
  await client.open(id);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  return client;
}

/** Waits until the tab shows the server's chat list, not the copy's. */
const untilListed = ({ chats }: Client) =>
  until(() => expect(chats.getState()).toMatchObject({ status: 'ready', isFromCopy: false }));

/** Waits until the server counts no unread messages in the user's only chat. */
const untilReadOnServer = ({ api }: SignedInUser) =>
  until(async () => {
    const { chatrooms } = await api.call('listChats');
    expect(chatrooms).toMatchObject([{ unreadMessagesCount: 0 }]);
  });

const texts = (client: Client, id = chatroomId): string[] =>
  findLoadedChatroom(client.rooms.getState(), id)?.messages.map(({ content }) => content) ?? [];
const list = (client: Client) =>
  client.chats.getState().chats.map(({ names, last, unread }) => ({ names, last, unread }));

function getMessage(client: Client, content: string): Message {
  const messages = findLoadedChatroom(client.rooms.getState(), chatroomId)?.messages ?? [];
  const message = messages.find((each) => each.content === content);
  if (!message) throw new Error(`there is no message "${content}"`);
  return message;
}

async function sendAndWait(client: Client, content: string, id = chatroomId): Promise<void> {
  client.send(id, content);
  await until(() => expect(texts(client, id)).toContain(content));
}

test('shows the last state without a server, and sends new messages later', async () => {
  const before = await readChatroom(ada);
  await sendAndWait(before, 'the last word');
  const [shown, messages] = [list(before), texts(before)];
  await close(before);
  await stopServer();

  const offline = openTab(ada);
  await until(() => expect(list(offline)).toEqual(shown));
  await offline.open(chatroomId);
  expect(texts(offline)).toEqual(messages);
  offline.send(chatroomId, 'written offline');
  await until(() => expect(offline.connection.getState().status).toBe('reconnecting'));
  await close(offline);

  const again = openTab(ada);
  await again.open(chatroomId);
  expect(texts(again)).toEqual(messages);
  await until(() =>
    expect(again.outbox.getState().entries).toMatchObject([{ content: 'written offline' }]),
  );
  await startServer();
  await until(() => {
    expect(texts(again)).toEqual([...messages, 'written offline']);
    expect(again.rooms.getState().rooms[chatroomId]).toMatchObject({ isFromCopy: false });
  });
  const partner = await readChatroom(bob);
  expect(texts(partner).filter((text) => text === 'written offline')).toHaveLength(1);
});

test('tells the server what was read without it, also after a reload', async () => {
  await close(await readChatroom(bob));
  await close(openTab(bob));
  await stopServer();
  const offline = openTab(bob);
  await offline.open(chatroomId);
  await until(() => expect(offline.connection.getState().status).toBe('reconnecting'));
  offline.markRead(chatroomId);
  expect(list(offline)).toMatchObject([{ unread: 0 }]);
  await until(async () => expect(await readStored('outbox')).toContain(`read:${chatroomId}`));
  await close(offline);
  const again = openTab(bob);
  await startServer();
  await until(() => expect(list(again)).toMatchObject([{ unread: 0 }]));
  await untilReadOnServer(bob);
});

test('tells the server what was read after the connection was lost, also after a reload', async () => {
  const before = await readChatroom(bob);
  await untilListed(before);
  await stopServer();
  await until(() => expect(before.connection.getState().status).toBe('reconnecting'));
  before.markRead(chatroomId);
  await until(async () => expect(await readStored('outbox')).toContain(`read:${chatroomId}`));
  await close(before);
  const again = openTab(bob);
  await startServer();
  await untilListed(again);
  expect(list(again)).toMatchObject([{ unread: 0 }]);
  await untilReadOnServer(bob);
});

test('shows an empty chat list without a server if the list was empty before', async () => {
  const dora = await signUp(server, 'Dora');
  const before = openTab(dora);
  await until(() => expect(before.chats.getState().status).toBe('ready'));
  await close(before);
  await stopServer();
  const { chats, connection } = openTab(dora);
  await until(() => expect(connection.getState().status).toBe('reconnecting'));
  expect(chats.getState()).toMatchObject({ status: 'ready', chats: [], isFromCopy: true });
});

test('opens a chatroom without a stored copy once the server is back', async () => {
  const created = await ada.api.call('createChatroom', {
    body: { partnerName: 'Carl', content: 'never opened' },
  });
  await close(await readChatroom(ada));
  await stopServer();
  const offline = openTab(ada);
  offline.view.getState().setView(created.chatroomId, false);
  await offline.open(created.chatroomId);
  expect(offline.rooms.getState().rooms[created.chatroomId]).toMatchObject({
    status: 'error',
    error: { code: 'offline' },
  });
  await startServer();
  await until(() => expect(texts(offline, created.chatroomId)).toEqual(['never opened']));
});

test('applies missed deletions and edits to the copy, even for chatrooms that are not open', async () => {
  const partner = await readChatroom(bob);
  await sendAndWait(partner, 'a secret');
  await sendAndWait(partner, 'a mistake');
  const before = await readChatroom(ada);
  expect(texts(before)).toContain('a secret');
  await close(before);
  partner.remove(getMessage(partner, 'a secret'));
  partner.edit(getMessage(partner, 'a mistake'), 'corrected');
  await sendAndWait(partner, 'the end');

  const next = openTab(ada);
  await until(() => expect(next.connection.getState().status).toBe('online'));
  await until(async () => {
    const found = await readStored();
    expect(found).toContain('the end');
    expect(found).toContain('corrected');
    expect(found).not.toMatch(/a secret|a mistake/);
  });
});

test('applies live deletions to a stored chatroom that is not in memory', async () => {
  const partner = await readChatroom(bob);
  await sendAndWait(partner, 'a secret');
  await close(await readChatroom(ada));
  const inList = openTab(ada);
  await until(() => expect(inList.connection.getState().status).toBe('online'));
  await until(async () => expect(await readStored()).toContain('a secret'));
  partner.remove(getMessage(partner, 'a secret'));
  await until(async () => expect(await readStored()).not.toContain('a secret'));
});

test('loads the chat list again once the live connection is open, but only if it has changed', async () => {
  // Reports of earlier tests could still change the chats of the others.
  const frida = await signUp(server, 'Frida');
  await frida.api.call('createChatroom', { body: { partnerName: 'Carl', content: 'hello' } });
  const calls = vi.spyOn(frida.api, 'callIfChanged');
  await untilListed(openTab(frida));
  const isUnchanged = () => calls.mock.settledResults.map(({ value }) => value === undefined);
  await until(() => expect(isUnchanged()).toEqual([false, true]));
});

test('reloads a chatroom that is far behind', async () => {
  await close(await readChatroom(ada));
  await putFarBehind(area.open());
  const next = openTab(ada);
  await untilListed(next);
  await next.open(chatroomId);
  expect(texts(next)).toContain(`hello ${rounds}`);
});

test('reloads a chatroom that is far behind and was opened before the chat list was loaded', async () => {
  await close(await readChatroom(ada));
  await putFarBehind(area.open());
  const held = Promise.withResolvers<void>();
  const { callIfChanged } = ada.api;
  const respondLater: typeof callIfChanged = async (name, etag, ...args) => {
    await held.promise;
    return callIfChanged(name, etag, ...args);
  };
  vi.spyOn(ada.api, 'callIfChanged').mockImplementation(respondLater);
  const next = openTab(ada);
  await next.open(chatroomId);
  expect(next.chats.getState()).toMatchObject({ isFromCopy: true });
  expect(next.rooms.getState().rooms[chatroomId]).toMatchObject({ isFromCopy: true });
  held.resolve();
  await until(() => expect(texts(next)).toContain(`hello ${rounds}`));
});

test('keeps a stored chatroom if a proxy responds instead of the server', async () => {
  await close(await readChatroom(ada));
  // The client reloads such a chatroom.
  await putFarBehind(area.open());
  const { call } = ada.api;
  const respond: typeof call = async (name, ...args) => {
    if (name === 'getChatroom') throw new ApiError('invalid_request', 404, 'no such site');
    return call(name, ...args);
  };
  vi.spyOn(ada.api, 'call').mockImplementation(respond);
  const next = openTab(ada);
  await untilListed(next);
  await next.open(chatroomId);
  expect(next.rooms.getState().rooms[chatroomId]?.status).toBe('missing');
  await close(next);
  expect(await readStored('rooms')).toContain(chatroomId);
});

test('adopts the chatroom and list of a server that was restored from a backup', async () => {
  await close(await readChatroom(ada));
  const storage = area.open();
  const room = await valueOf<{ messages: Message[]; rev: number }>(storage, 'rooms', chatroomId);
  const { messages, rev } = room;
  const lost = { ...messages.at(-1), _id: 'lost', content: 'lost', seq: 10_000, rev: 10_000 };
  const value = { ...room, messages: [...messages, lost], rev: 10_000 };
  await storage.put('rooms', chatroomId, { value });
  const list = await valueOf<{ stamp: string; text: string }>(storage, 'chats', 'list');
  const chats = JSON.parse(list.text) as object[];
  for (const chat of chats) Object.assign(chat, { rev: 10_000, unread: 7 });
  await storage.put('chats', 'list', { value: { ...list, text: JSON.stringify(chats) } });
  const next = await readChatroom(ada);
  await until(() => {
    expect(texts(next)).not.toContain('lost');
    expect(findLoadedChatroom(next.rooms.getState(), chatroomId)).toMatchObject({ rev });
  });
  await until(async () =>
    expect(await readStored('chats', 'rooms')).not.toMatch(/:10000\b|"lost"/),
  );
});

test('a tab with older data does not overwrite newer data of another tab', async () => {
  const [first, second] = [await readChatroom(ada), await readChatroom(ada)];
  await sendAndWait(first, 'news');
  await until(() => expect(texts(second)).toContain('news'));
  await until(async () => expect(await readStored('rooms')).toContain('news'));
  // Simulates a tab that was suspended and writes data older than the stored data.
  second.rooms.setState(({ rooms }) => {
    const entry = rooms[chatroomId];
    if (entry?.status !== 'ready') return { rooms };
    const { room } = entry;
    const old = { ...room, rev: room.rev - 1, messages: room.messages.slice(0, -1) };
    return { rooms: { ...rooms, [chatroomId]: { ...entry, room: old } } };
  });
  await close(second);
  expect(await readStored('rooms')).toContain('news');
});

test('turning the copy off erases it immediately and keeps drafts', async () => {
  const client = await readChatroom(ada);
  client.drafts.getState().change(chatroomId, { text: 'half a sentence' });
  client.saveStartData(START_DATA);
  await until(async () => expect(await readStored()).toMatch(/hello.*half a sentence|half.*hello/));
  await until(async () => expect(await readStored('meta')).toContain('start-facts'));
  client.setOfflineCopyEnabled(false);
  await until(async () =>
    expect(await readStored('chats', 'rooms', 'meta')).not.toMatch(/hello|start-f/),
  );
  await sendAndWait(client, 'nothing of this');
  await flushStorage();
  await close(client);
  expect(await readStored()).toContain('half a sentence');
  expect(await readStored('chats', 'rooms', 'meta')).not.toMatch(/nothing of|start-f/);

  const next = await readChatroom(ada);
  next.setOfflineCopyEnabled(true);
  await until(async () => expect(await readStored('chats', 'rooms')).toContain('nothing of this'));
});

test('signing out erases everything in all tabs', async () => {
  const onSessionEnded = vi.fn<(reason: string) => void>();
  const first = await readChatroom(carl, await chatroomOfCarl());
  const second = openTab(carl, { onSessionEnded });
  await until(() => expect(second.chats.getState().status).toBe('ready'));
  await until(async () => expect(await readStored('chats')).toContain('hello Carl'));
  await stopServer();
  first.dispose({ ended: 'logout' });
  await until(() => expect(onSessionEnded).toHaveBeenCalledWith('logout'));
  second.dispose({ ended: 'logout' });
  await flushStorage();
  expect(await readStored('chats', 'rooms', 'drafts', 'outbox', 'intents')).toBe(
    '[[],[],[],[],[]]',
  );
  expect(await readStored('meta')).not.toContain('Carl');
});

test('keeps the copy after an expired session, but erases it for another user', async () => {
  const before = await readChatroom(ada);
  const editing = { messageId: 'm', seq: 1, original: 'a text', text: 'a better text' };
  before.drafts.getState().change(chatroomId, { text: 'half a sentence', editing });
  before.dispose({ ended: 'expired' });
  await flushStorage();
  await stopServer();
  const same = openTab(ada);
  await until(() => expect(list(same)).not.toEqual([]));
  await until(() =>
    expect(same.drafts.getState().drafts).toEqual({
      [chatroomId]: { text: 'half a sentence', editing, attachments: [] },
    }),
  );
  same.dispose({ ended: 'expired' });
  await flushStorage();
  const other = openTab(bob);
  await flushStorage();
  expect(list(other)).toEqual([]);
  expect(await readStored()).not.toMatch(/half a sentence|hello/);
});

async function valueOf<T>(
  storage: ClientStorage,
  collection: StorageCollection,
  key: string,
): Promise<T> {
  const record = await storage.get(collection, key);
  if (!record) throw new Error(`nothing is stored under ${key}`);
  return record.value as T;
}

/** Replaces the stored chatroom with one that is too far behind the server to be resynced. */
async function putFarBehind(storage: ClientStorage): Promise<void> {
  const room = await valueOf<object>(storage, 'rooms', chatroomId);
  const value = { ...room, rev: -1_000, messages: [], hasMore: false };
  await storage.put('rooms', chatroomId, { value });
}

async function chatroomOfCarl(): Promise<string> {
  const content = 'hello Carl';
  return (await ada.api.call('createChatroom', { body: { partnerName: 'Carl', content } }))
    .chatroomId;
}

const START_DATA = {
  user: {
    username: 'Ada',
    usermail: 'ada@example.org',
    dateOfRegistration: '2026-01-01T00:00:00.000Z',
    ...initialSettings(),
  },
  config: {
    product: 'parley',
    version: '1.0.0',
    apiVersion: 1,
    mediaPrefix: 'https://example.org/media/',
    mediaBase: '/media/',
    avatarUrl: '/api/avatars/{name}.svg',
    registration: 'open',
    operator: {},
  },
} as const;
