import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import type { Message, SearchConditions } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createMemoryLocks,
  createMemoryStorage,
  createMemoryStorageArea,
  findLoadedChatroom,
  type Client,
  type Platform,
  type Search,
} from '../src/index.ts';
import { signUp, type SignedInUser } from './signed-in-client.ts';

const TEXTS = [
  'Die Donaudampfschifffahrt beginnt',
  'Grüße aus Köln, Hauptstraße 5',
  'A SHIP and a boat: https://parley.example/ship',
  'Steuerung und Raumschiff',
];

let server: RunningServer;
let ada: SignedInUser;
let bob: SignedInUser;
let chatroomId: string;
let clients: Client[];
let browser: Partial<Platform>;
let isStopped = false;

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
});

afterAll(() => server.dispose());

let rounds = 0;

beforeEach(async () => {
  rounds += 1;
  ada = await signUp(server, `Ada${rounds}`);
  bob = await signUp(server, `Bob${rounds}`);
  clients = [];
  const area = createMemoryStorageArea();
  browser = {
    storage: createMemoryStorage(),
    openStorage: async () => area.open(),
    locks: createMemoryLocks(),
  };
  const body = { partnerName: bob.username, content: 'first' };
  ({ chatroomId } = await ada.api.call('createChatroom', { body }));
  await bob.api.call('acceptChat', { params: { id: chatroomId } });
  for (const [index, content] of TEXTS.entries()) {
    const { api } = index % 2 === 0 ? ada : bob;
    await api.call('sendMessage', { body: { chatroom: chatroomId, content } });
  }
});

afterEach(async () => {
  for (const client of clients) client.dispose();
  if (isStopped) await server.start();
  isStopped = false;
});

async function stopServer(): Promise<void> {
  await server.stop();
  isStopped = true;
}

/** Opens a client with the chatroom and waits until it is online. */
async function start(user: SignedInUser, platform: Partial<Platform> = {}): Promise<Client> {
  const client = user.createClient({ platform });
  clients.push(client);
  await client.open(chatroomId);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  return client;
}

const found = ({ store }: Search): string[] =>
  store.getState().hits.map(({ message }) => message.content);

async function search(client: Client, conditions: SearchConditions): Promise<Search> {
  const created = client.createSearch();
  created.setConditions(conditions);
  created.searchNow();
  await until(() => expect(created.store.getState().status).not.toBe('searching'));
  return created;
}

function getMessage(client: Client, content: string): Message {
  const messages = findLoadedChatroom(client.rooms.getState(), chatroomId)?.messages ?? [];
  const message = messages.find((each) => each.content === content);
  if (!message) throw new Error(`there is no message "${content}"`);
  return message;
}

test('finds parts of words, the newest first, and marks them', async () => {
  const client = await start(ada);
  const ships = await search(client, { query: 'SCHIFF' });
  expect(found(ships)).toEqual([TEXTS[3], TEXTS[0]]);
  const [, oldest] = ships.store.getState().hits;
  const marked = oldest?.excerpt.ranges.map(({ start, end }) =>
    oldest.excerpt.text.slice(start, end),
  );
  expect(marked).toEqual(['schiff']);
  expect(found(await search(client, { query: 'koeln strasse' }))).toEqual([TEXTS[1]]);
  expect(found(await search(client, { query: 'steuer' }))).toEqual([TEXTS[3]]);
  expect(found(await search(client, { kind: 'link', from: 'me' }))).toEqual([TEXTS[2]]);
  expect(found(await search(client, { query: 'schiff', from: 'partner' }))).toEqual([TEXTS[3]]);
});

test('results follow what the partner edits and deletes', async () => {
  const client = await start(ada);
  const partner = await start(bob);
  const ships = await search(client, { query: 'schiff', chatroomId });
  expect(ships.store.getState().total).toBe(2);
  partner.edit(getMessage(partner, 'Steuerung und Raumschiff'), 'Luftschiff!');
  await until(() => expect(found(ships)).toEqual(['Luftschiff!', TEXTS[0]]));
  partner.edit(getMessage(partner, 'Luftschiff!'), 'Flugzeug');
  await until(() => expect(found(ships)).toEqual([TEXTS[0]]));
  expect(ships.store.getState().total).toBe(1);
  client.remove(getMessage(client, 'Die Donaudampfschifffahrt beginnt'));
  await until(() => expect(found(ships)).toEqual([]));
  expect(found(await search(client, { query: 'schiff' }))).toEqual([]);
});

test('the messages of a chat that is blocked leave the results', async () => {
  const client = await start(ada);
  const ships = await search(client, { query: 'schiff' });
  expect(found(ships)).toHaveLength(2);
  client.block(chatroomId);
  await until(() => expect(found(ships)).toEqual([]));
});

test('adds pages until everything is found', async () => {
  const client = await start(ada);
  const all = client.createSearch({ pageSize: 2, order: 'oldest' });
  all.setConditions({ chatroomId, after: 0 });
  const pages: number[] = [];
  await until(() => expect(all.store.getState().status).toBe('results'));
  while (all.store.getState().hasMore) {
    pages.push(found(all).length);
    await all.loadMore();
  }
  expect(found(all)).toEqual(['first', ...TEXTS]);
  expect(pages[0]).toBe(2);
});

test('reports that a chatroom does not exist', async () => {
  const client = await start(ada);
  const missing = await search(client, {
    query: 'schiff',
    chatroomId: '00000000-0000-4000-8000-000000000000',
  });
  expect(missing.store.getState()).toMatchObject({
    status: 'failed',
    error: { code: 'room_not_found' },
  });
});

test('without a server, the same messages are found on this device', async () => {
  const online = await start(ada, browser);
  const queries: SearchConditions[] = [
    { query: 'schiff' },
    { query: 'koeln strasse' },
    { query: 'SHIP boat' },
    { query: 'nothing of this' },
    { query: 'e', chatroomId },
    { kind: 'link' },
    { kind: 'image' },
    { from: 'partner', query: 'und' },
    { after: Date.now() - 60_000, from: 'me' },
    { before: Date.now() - 60_000 },
  ];
  const expected = await Promise.all(queries.map((conditions) => online.findMessages(conditions)));
  expect(expected.map(({ isOffline }) => isOffline)).not.toContain(true);
  const texts = JSON.stringify(await readCopy());
  expect(texts).toContain('Raumschiff');
  online.dispose();
  await stopServer();

  const offline = ada.createClient({ platform: browser });
  clients.push(offline);
  await until(() => expect(offline.connection.getState().status).toBe('reconnecting'));
  for (const [index, conditions] of queries.entries()) {
    const page = await offline.findMessages(conditions);
    expect(page.isOffline).toBe(true);
    expect(page.hits).toEqual(expected[index]?.hits);
  }

  const ships = await search(offline, { query: 'schiff' });
  expect(ships.store.getState()).toMatchObject({ status: 'results', isOffline: true });
  expect(found(ships)).toEqual([TEXTS[3], TEXTS[0]]);
  await server.start();
  isStopped = false;
  await until(() => expect(ships.store.getState()).toMatchObject({ isOffline: false }));
  expect(found(ships)).toEqual([TEXTS[3], TEXTS[0]]);
});

/** Waits until the offline copy contains the chatroom, and returns it. */
async function readCopy(): Promise<unknown> {
  let records: readonly unknown[] = [];
  await until(async () => {
    const storage = await browser.openStorage?.();
    records = (await storage?.getAll('rooms')) ?? [];
    storage?.close();
    expect(records).toHaveLength(1);
  });
  return records;
}
