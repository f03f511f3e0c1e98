import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import type { Message } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createMemoryLocks,
  createMemoryStorageArea,
  findLoadedChatroom,
  type Client,
  type ClientEvents,
  type Platform,
  type LoadedChatroom,
} from '../src/index.ts';
import { signUp, type SignedInUser } from './signed-in-client.ts';

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let server: RunningServer;
let ada: SignedInUser;
let bob: SignedInUser;
let chatroomId: string;
let clients: Client[];

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

beforeAll(async () => {
  server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  ada = await signUp(server, 'Ada');
  bob = await signUp(server, 'Bob');
  const created = await ada.api.call('createChatroom', {
    body: { partnerName: 'Bob', content: 'first' },
  });
  chatroomId = created.chatroomId;
  await bob.api.call('acceptChat', { params: { id: chatroomId } });
});

afterAll(() => server.dispose());

beforeEach(() => {
  clients = [];
});

afterEach(() => {
  for (const client of clients) client.dispose();
});

/** Starts a client with the chatroom open and waits until it is online. */
async function start(
  user: SignedInUser,
  options?: Parameters<SignedInUser['createClient']>[0],
): Promise<Client> {
  const client = user.createClient(options);
  clients.push(client);
  await client.open(chatroomId);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  return client;
}

/** Creates the platform parts that the tabs of one browser share. */
function createBrowser() {
  const area = createMemoryStorageArea();
  const platform: Partial<Platform> = {
    openStorage: async () => area.open(),
    locks: createMemoryLocks(),
  };
  return { area, platform };
}

function fetchOwnChatroom(client: Client): LoadedChatroom {
  const room = findLoadedChatroom(client.rooms.getState(), chatroomId);
  if (!room) throw new Error('the room is not loaded');
  return room;
}

function getMessage(client: Client, content: string): Message {
  const message = fetchOwnChatroom(client).messages.find((each) => each.content === content);
  if (!message) throw new Error(`there is no message "${content}"`);
  return message;
}

const texts = (client: Client): string[] =>
  fetchOwnChatroom(client).messages.map(({ content }) => content);
const unread = (client: Client): number | undefined =>
  client.chats.getState().chats.find(({ id }) => id === chatroomId)?.unread;

/** Waits until both clients show the same messages and both outboxes are empty. */
async function waitUntilEqual(a: Client, b: Client): Promise<void> {
  await until(() => {
    expect(a.outbox.getState().entries).toEqual([]);
    expect(b.outbox.getState().entries).toEqual([]);
    const states = [fetchOwnChatroom(a), fetchOwnChatroom(b)].map(({ messages, rev }) => ({
      messages,
      rev,
    }));
    expect(states[0]?.rev).toBe(states[1]?.rev);
    expect(texts(a)).toEqual(texts(b));
  });
}

test('two clients send, receive, edit, delete and read', async () => {
  const onUnseen = vi.fn<() => void>();
  const a = await start(ada);
  const b = await start(bob, { events: { onUnseen } });
  b.markRead(chatroomId);
  await until(() => expect(unread(b)).toBe(0));

  for (const text of ['one', 'two', 'three']) a.send(chatroomId, text);
  await until(() => expect(texts(b).slice(-3)).toEqual(['one', 'two', 'three']));
  expect(unread(b)).toBe(3);
  await until(() => expect(onUnseen).toHaveBeenCalledTimes(3));

  a.edit(getMessage(a, 'two'), 'two, edited');
  await until(() => expect(texts(b).slice(-3)).toEqual(['one', 'two, edited', 'three']));
  a.remove(getMessage(a, 'one'));
  await until(() => expect(texts(b).slice(-2)).toEqual(['two, edited', 'three']));
  await until(() => expect(unread(b)).toBe(2));

  b.markRead(chatroomId);
  expect(unread(b)).toBe(0);
  b.send(chatroomId, 'an answer');
  await until(() => expect(texts(a).at(-1)).toBe('an answer'));
  expect(unread(a)).toBe(1);
  await waitUntilEqual(a, b);
});

test('uploads an image, and shows it as an image in both clients', async () => {
  const onSendRefused = vi.fn<ClientEvents['onSendRefused']>();
  const a = await start(ada, { events: { onSendRefused } });
  const b = await start(bob);
  a.addMedia('image', chatroomId, new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
  a.sendMedia('image', chatroomId);
  await until(() => expect(fetchOwnChatroom(b).messages.at(-1)).toMatchObject({ kind: 'image' }));
  await waitUntilEqual(a, b);
  a.addMedia('image', chatroomId, new Blob(['no picture']), 'text.png');
  a.sendMedia('image', chatroomId);
  await until(() => expect(onSendRefused).toHaveBeenCalledOnce());
  expect(onSendRefused.mock.lastCall).toMatchObject([
    { state: 'waiting', file: { name: 'text.png' } },
    { status: 415 },
  ]);
  expect(a.outbox.getState().entries).toMatchObject([{ state: 'draft' }]);
  a.discard(a.outbox.getState().entries[0]?.clientId ?? '');
});

test('forwards a text and an image as messages of the user, and keeps the image when the original is deleted', async () => {
  const onSendRefused = vi.fn<ClientEvents['onSendRefused']>();
  const a = await start(ada);
  const b = await start(bob, { events: { onSendRefused } });
  a.send(chatroomId, 'to be forwarded');
  a.addMedia('image', chatroomId, new Blob([PIXEL], { type: 'image/png' }), 'pixel.png');
  a.sendMedia('image', chatroomId);
  await until(() => {
    expect(texts(b)).toContain('to be forwarded');
    expect(fetchOwnChatroom(b).messages.at(-1)).toMatchObject({ kind: 'image' });
  });
  const image = fetchOwnChatroom(b).messages.at(-1) as Message;
  b.forward([chatroomId], [getMessage(b, 'to be forwarded'), image]);
  await until(() =>
    expect(fetchOwnChatroom(a).messages.slice(-2)).toMatchObject([
      { content: 'to be forwarded', isForwarded: true, sender: { username: 'Bob' } },
      { kind: 'image', isForwarded: true, sender: { username: 'Bob' }, media: { width: 1 } },
    ]),
  );
  a.remove(getMessage(a, image.content));
  await waitUntilEqual(a, b);
  const copy = fetchOwnChatroom(a).messages.at(-1) as Message;
  expect(copy.content).not.toBe(image.content);
  const { pathname } = new URL(copy.content);
  const response = await fetch(server.url + pathname, { headers: ada.headers() });
  expect(response.status).toBe(200);
  b.forward([chatroomId], [image]);
  await until(() =>
    expect(b.outbox.getState().entries).toMatchObject([{ failReason: 'source_deleted' }]),
  );
  expect(onSendRefused.mock.lastCall).toMatchObject([{}, { code: 'message_not_found' }]);
  b.discard(b.outbox.getState().entries[0]?.clientId ?? '');
});

test('delivers messages written during an outage of the server exactly once and in order', async () => {
  const a = await start(ada);
  const b = await start(bob);
  await server.stop();
  await until(() => expect(a.connection.getState().status).toBe('reconnecting'));
  await until(() => expect(b.connection.getState().status).toBe('reconnecting'));
  const sent = Array.from({ length: 5 }, (_, i) => `while away ${i}`);
  for (const text of sent) a.send(chatroomId, text);
  b.send(chatroomId, 'also away');
  expect(a.outbox.getState().entries).toHaveLength(5);
  await server.start();
  await until(() => expect(a.connection.getState().status).toBe('online'));
  await waitUntilEqual(a, b);
  expect(texts(b).filter((text) => text.startsWith('while away'))).toEqual(sent);
  expect(texts(a).filter((text) => text === 'also away')).toHaveLength(1);
});

test('a client that reconnects learns of all settings and addresses that changed on another device', async () => {
  const onSettings = vi.fn<NonNullable<ClientEvents['onSettings']>>();
  const onEmail = vi.fn<NonNullable<ClientEvents['onEmail']>>();
  const a = await start(ada, { events: { onSettings, onEmail } });
  a.renewConnection();
  await until(() => expect(onSettings).toHaveBeenCalledOnce());
  const shared = { sharesReceipts: true, sharesTyping: true, sharesPresence: true };
  expect(onSettings.mock.lastCall).toMatchObject([{ language: 'en', ...shared }]);
  expect(onSettings.mock.lastCall?.[0]).not.toHaveProperty('username');
  expect(onSettings.mock.lastCall?.[0]).not.toHaveProperty('usermail');
  expect(onEmail.mock.calls).toEqual([[{ usermail: expect.stringContaining('@') }]]);
});

test('the next client with the same storage sends the messages of a disposed client', async () => {
  const { platform, area } = createBrowser();
  const b = await start(bob);
  await server.stop();
  const before = ada.createClient({ platform });
  before.send(chatroomId, 'before the reload');
  before.drafts.getState().change(chatroomId, { text: 'half a sentence' });
  before.dispose();
  expect(before.signal.aborted).toBe(true);
  await server.start();
  const after = await start(ada, { platform });
  expect(after.drafts.getState().drafts).toEqual({
    [chatroomId]: { text: 'half a sentence', attachments: [] },
  });
  await until(() => expect(texts(b)).toContain('before the reload'));
  await waitUntilEqual(after, b);
  expect(texts(b).filter((text) => text === 'before the reload')).toHaveLength(1);
  after.dispose({ ended: 'logout' });
  const kept = area.open();
  await vi.waitFor(async () => expect(await kept.getAll('drafts')).toEqual([]));
  expect(await kept.getAll('outbox')).toEqual([]);
});

test('two tabs of one user share the outbox and send each message once', async () => {
  const { platform } = createBrowser();
  const b = await start(bob);
  const tabs = [await start(ada, { platform }), await start(ada, { platform })];
  for (let i = 0; i < 4; i += 1) tabs[i % 2]?.send(chatroomId, `from a tab ${i}`);
  const sent = () =>
    texts(b)
      .filter((text) => text.startsWith('from a tab'))
      .toSorted();
  await until(() => expect(sent()).toHaveLength(4));
  for (const tab of tabs) await waitUntilEqual(tab, b);
  expect(sent()).toEqual([0, 1, 2, 3].map((i) => `from a tab ${i}`));
});

test('reports a session that was ended elsewhere and keeps unsent messages for the next login', async () => {
  const onSessionEnded = vi.fn<(reason: string) => void>();
  const { platform } = createBrowser();
  const a = await start(ada, { events: { onSessionEnded }, platform });
  const b = await start(bob);
  const other = await fetch(`${server.url}/api/users/logout`, { headers: ada.headers() });
  expect(other.ok).toBe(true);
  await until(() => expect(onSessionEnded).toHaveBeenCalledWith('logout'));
  a.send(chatroomId, 'after the end');
  await until(() => expect(a.outbox.getState().entries).toMatchObject([{ state: 'waiting' }]));
  a.dispose();
  await ada.logIn();
  const again = await start(ada, { platform });
  await waitUntilEqual(again, b);
  expect(texts(b).filter((text) => text === 'after the end')).toHaveLength(1);
});

test('the next client sends a waiting image and first message once the server is back', async () => {
  const { platform } = createBrowser();
  const b = await start(bob);
  const carla = await signUp(server, 'Carla');
  await server.stop();
  const before = ada.createClient({ platform });
  clients.push(before);
  await until(() => expect(before.connection.getState().status).toBe('reconnecting'));
  before.addMedia('image', chatroomId, new Blob([PIXEL], { type: 'image/png' }), 'kept.png');
  before.sendMedia('image', chatroomId);
  before.drafts.getState().change('new:Carla', { text: 'hello Carla' });
  before.sendFirstMessage('Carla', 'hello Carla');
  await until(() => expect(before.outbox.getState().entries).toHaveLength(2));
  before.dispose();
  await server.start();
  const after = await start(ada, { platform });
  await until(() => expect(after.outbox.getState().created['carla']).toBeDefined());
  await waitUntilEqual(after, b);
  expect(fetchOwnChatroom(b).messages.at(-1)).toMatchObject({ kind: 'image' });
  expect(after.drafts.getState().drafts).toEqual({});
  const c = carla.createClient();
  clients.push(c);
  await until(() =>
    expect(c.chats.getState().chats).toMatchObject([{ last: { content: 'hello Carla' } }]),
  );
});

test('a reaction appears at once, reaches the partner and is listed until it is taken back', async () => {
  const onReaction = vi.fn<NonNullable<ClientEvents['onReaction']>>();
  const onIncoming = vi.fn<() => void>();
  const a = await start(ada, { events: { onReaction, onIncoming } });
  const b = await start(bob);
  a.send(chatroomId, 'Shall we?');
  await until(() => expect(texts(b).at(-1)).toBe('Shall we?'));
  b.react(getMessage(b, 'Shall we?'), '👍', true);
  const reactions = [{ emoji: '👍', usernames: ['Bob'] }];
  expect(getMessage(b, 'Shall we?').reactions).toEqual(reactions);
  await until(() => expect(getMessage(a, 'Shall we?').reactions).toEqual(reactions));
  await until(() => expect(b.outbox.getState().changes).toEqual([]));
  expect(getMessage(b, 'Shall we?').reactions).toEqual(reactions);
  await until(() => expect(onReaction).toHaveBeenCalledOnce());
  expect(onReaction.mock.calls[0]?.[0]).toMatchObject({
    chatroomId,
    name: 'Bob',
    reaction: '👍',
    content: 'Shall we?',
  });
  expect(onIncoming).not.toHaveBeenCalled();
  const listed = () => a.chats.getState().chats.find(({ id }) => id === chatroomId);
  await until(() => expect(listed()?.reaction).toMatchObject({ emoji: '👍' }));

  b.react(getMessage(b, 'Shall we?'), '👍', false);
  expect(getMessage(b, 'Shall we?').reactions).toBeUndefined();
  await until(() => expect(getMessage(a, 'Shall we?').reactions).toBeUndefined());
  await until(() => expect(listed()?.reaction).toBeUndefined());
  expect(onReaction).toHaveBeenCalledOnce();
});
