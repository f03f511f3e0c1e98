import type { ChatState, Message } from '@parley/contract';
import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  findLoadedChatroom,
  type Client,
  type ClientEvents,
  type StorageCollection,
} from '../src/index.ts';
import { createDevice, openTabOn, type TestDevice } from './device.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let chatroomId: string;
let clients: Client[];

const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

beforeEach(async () => {
  clients = [];
  server = await startServer();
  [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  const body = { partnerName: 'Bob', content: 'own plum' };
  ({ chatroomId } = (await ada.request('POST', '/api/chatrooms/create', body)).body);
  await bob.request('POST', `/api/chatrooms/chats/${chatroomId}/accept`);
  await sendAs(bob, 'plum of Bob');
});

afterEach(async () => {
  for (const client of clients) client.dispose();
  await server.close();
});

/** Opens a tab on a device of Ada. */
function openTab(device: TestDevice, events: Partial<ClientEvents> = {}): Client {
  const client = openTabOn(device, server, ada, { events });
  clients.push(client);
  return client;
}

/** Opens a tab with the chat. */
async function openChat(device: TestDevice, events?: Partial<ClientEvents>): Promise<Client> {
  const client = openTab(device, events);
  await client.open(chatroomId);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  await until(() => expect(find(client)).toBeDefined());
  return client;
}

const sendAs = async (user: TestUser, content: string): Promise<Message> =>
  (await user.request('POST', '/api/messages/send', { chatroom: chatroomId, content })).body;
const find = ({ chats }: Client) => chats.getState().chats.find(({ id }) => id === chatroomId);
const entry = (client: Client) => client.rooms.getState().rooms[chatroomId];
const contents = (client: Client) =>
  findLoadedChatroom(client.rooms.getState(), chatroomId)?.messages.map(({ content }) => content);
const untilSent = (client: Client) =>
  until(() => expect(client.outbox.getState()).toMatchObject({ entries: [], changes: [] }));
const untilListed = ({ chats }: Client) =>
  until(() => expect(chats.getState()).toMatchObject({ status: 'ready', isFromCopy: false }));
const readStored = async ({ area }: TestDevice, ...collections: StorageCollection[]) =>
  JSON.stringify(await Promise.all(collections.map((each) => area.open().getAll(each))));
async function stateOn(user: TestUser): Promise<ChatState> {
  return (await user.request('GET', `/api/chatrooms/chats/${chatroomId}`)).body.chat;
}

test('a deleted chat disappears on all devices, and comes back with later messages only', async () => {
  const [device, other] = [createDevice(), createDevice()];
  const [client, elsewhere] = [await openChat(device), await openChat(other)];
  const all = [client, await openChat(device), elsewhere];
  const search = elsewhere.createSearch();
  search.setConditions({ query: 'plum' });
  await until(() => expect(search.store.getState().hits).toHaveLength(2));
  elsewhere.drafts.getState().change(chatroomId, { text: 'half a plum' });
  elsewhere.addMedia('image', chatroomId, new Blob(['x']), 'a.png');
  await until(async () => expect(await readStored(other, 'rooms', 'drafts')).toContain('plum'));

  client.deleteChat(chatroomId);
  // At once, without an answer of the server.
  expect(find(client)).toBeUndefined();
  expect(entry(client)).toMatchObject({ status: 'missing', isHidden: true, isDecided: true });
  await untilSent(client);
  for (const each of all) {
    await until(() => expect(find(each)).toBeUndefined());
    await until(() => expect(entry(each)).toMatchObject({ status: 'missing', isHidden: true }));
  }
  expect(elsewhere.drafts.getState().drafts).toEqual({});
  expect(elsewhere.outbox.getState().entries).toEqual([]);
  expect(search.store.getState().hits).toEqual([]);
  for (const each of [device, other]) {
    await until(async () =>
      expect(await readStored(each, 'rooms', 'chats', 'drafts')).not.toContain('plum'),
    );
  }
  expect((await stateOn(bob)).lastMessage).toMatchObject({ content: 'plum of Bob' });

  await sendAs(bob, 'later');
  for (const each of all) {
    await until(() => expect(find(each)).toMatchObject({ last: { content: 'later' }, unread: 1 }));
    await each.open(chatroomId);
    expect(contents(each)).toEqual(['later']);
  }
});

test('a chat that is deleted offline stays hidden over a reload, and nothing begun before outlasts it', async () => {
  const device = createDevice();
  const before = await openChat(device);
  device.lost = ['/settings', '/delete', '/send', '/upload'];
  before.markUnread(chatroomId);
  before.pin(chatroomId, true);
  before.mute(chatroomId, 'always');
  before.send(chatroomId, 'unsent plum');
  before.addMedia('image', chatroomId, new Blob(['x']), 'a.png');
  before.drafts.getState().change(chatroomId, { text: 'half a plum' });
  before.readingPositions.getState().setPosition(chatroomId, { key: 'm', seq: 1, offset: 0 });
  await until(async () => expect(await readStored(device, 'drafts')).toContain('half a plum'));
  before.deleteChat(chatroomId);
  expect(find(before)).toBeUndefined();
  expect(before.outbox.getState().entries).toEqual([]);
  expect(before.drafts.getState().drafts).toEqual({});
  expect(before.readingPositions.getState().positions.size).toBe(0);
  await until(async () => expect(await readStored(device, 'outbox')).toContain('chat-deletion'));
  before.dispose();

  const after = openTab(device);
  await untilListed(after);
  await after.outboxLoaded;
  expect(find(after)).toBeUndefined();
  device.lost = [];
  after.reconnect();
  await untilSent(after);
  const state = await stateOn(ada);
  expect(state).toMatchObject({ isRemoved: true, lastMessage: null });
  expect(Object.keys(state.settings ?? {})).toEqual(['mutedUntil']);
  expect((await stateOn(bob)).lastMessage).toMatchObject({ content: 'plum of Bob' });
});

test('a chat whose deletion is refused is back, with its messages', async () => {
  const device = createDevice();
  device.refused = ['/delete'];
  const onChangeFailed = vi.fn<ClientEvents['onChangeFailed']>();
  const client = await openChat(device, { onChangeFailed });
  client.deleteChat(chatroomId);
  expect(find(client)).toBeUndefined();
  await untilSent(client);
  expect(onChangeFailed.mock.lastCall?.[1]).toBe('chat-deletion');
  expect(find(client)).toMatchObject({ last: { content: 'plum of Bob' } });
  expect(contents(client)).toEqual(['own plum', 'plum of Bob']);
});

test('a message that arrives before the deletion is sent keeps the chat, with a quote that is not available', async () => {
  const device = createDevice();
  const client = await openChat(device);
  const quoted = findLoadedChatroom(client.rooms.getState(), chatroomId)?.messages.at(-1);
  device.lost = ['/delete'];
  client.deleteChat(chatroomId);
  const body = { chatroom: chatroomId, content: 'later', replyTo: quoted?._id };
  await bob.request('POST', '/api/messages/send', body);
  const expectLater = () =>
    until(() => {
      expect(find(client)).toMatchObject({ last: { content: 'later' }, unread: 1 });
      expect(findLoadedChatroom(client.rooms.getState(), chatroomId)).toMatchObject({
        messages: [{ content: 'later', replyTo: { isDeleted: true, content: '' } }],
        hasMore: false,
        unread: 1,
      });
    });
  await expectLater();
  device.lost = [];
  client.reconnect();
  await untilSent(client);
  await expectLater();
  await until(async () => expect(await readStored(device, 'rooms', 'chats')).not.toContain('plum'));
});

test('a message in flight outlasts the deletion, in view, and what waits behind it does not', async () => {
  const device = createDevice();
  const client = await openChat(device);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  device.held = held;
  client.send(chatroomId, 'in flight');
  client.send(chatroomId, 'waiting');
  const states = () => client.outbox.getState().entries.map(({ state }) => state);
  await until(() => expect(states()).toEqual(['sending', 'waiting']));
  client.deleteChat(chatroomId);
  expect(client.outbox.getState().entries).toMatchObject([{ content: 'in flight' }]);
  const expectInView = () => {
    expect(find(client)).toMatchObject({ last: null });
    const room = { messages: [], unsent: [{ content: 'in flight' }] };
    expect(entry(client)).toMatchObject({ status: 'ready', room });
  };
  expectInView();
  await until(() => expect(client.outbox.getState().changes).toEqual([]));
  expectInView();
  release();
  await untilSent(client);
  await until(() => expect(find(client)).toMatchObject({ last: { content: 'in flight' } }));
  expect(contents(client)).toEqual(['in flight']);
});

test('a draft stays reachable when the partner deletes all messages since the deletion', async () => {
  const [device, other] = [createDevice(), createDevice()];
  const client = await openChat(device);
  client.deleteChat(chatroomId);
  await untilSent(client);
  const { _id: id } = await sendAs(bob, 'later');
  await until(() => expect(find(client)).toMatchObject({ last: { content: 'later' } }));
  await client.open(chatroomId);
  const before = await openChat(other);
  await untilListed(before);
  for (const each of [client, before]) {
    each.drafts.getState().change(chatroomId, { text: 'half an answer' });
  }
  await until(async () => expect(await readStored(other, 'drafts')).toContain('half'));
  await until(async () => expect(await readStored(other, 'chats')).toContain('later'));
  before.dispose();
  await bob.request('DELETE', '/api/messages/delete', { messageId: id });
  const expectDraft = (each: Client) =>
    until(() => {
      expect(find(each)).toMatchObject({ last: null });
      expect(entry(each)).toMatchObject({ status: 'ready', room: { messages: [] } });
      const draft = { text: 'half an answer' };
      expect(each.drafts.getState().drafts).toMatchObject({ [chatroomId]: draft });
    });
  await expectDraft(client);
  // Also after the copy of the list has forgotten the chat.
  for (let i = 0; i < 2; i += 1) {
    const after = openTab(other);
    await untilListed(after);
    await expectDraft(after);
    await until(async () => expect(await readStored(other, 'chats')).not.toContain(chatroomId));
    after.dispose();
  }
});

test('a device that was offline erases the chat, and sends what waits there', async () => {
  const [device, other] = [createDevice(), createDevice()];
  const before = await openChat(other);
  other.lost = ['/send'];
  before.send(chatroomId, 'waiting');
  await until(async () => expect(await readStored(other, 'rooms')).toContain('plum'));
  before.dispose();
  const client = await openChat(device);
  client.deleteChat(chatroomId);
  await untilSent(client);

  const after = openTab(other);
  await untilListed(after);
  await until(async () => expect(await readStored(other, 'rooms', 'chats')).not.toContain('plum'));
  expect(find(after)).toBeUndefined();
  other.lost = [];
  after.reconnect();
  await untilSent(after);
  for (const each of [client, after]) {
    await until(() => expect(find(each)).toMatchObject({ last: { content: 'waiting' } }));
    await each.open(chatroomId);
    expect(contents(each)).toEqual(['waiting']);
  }
});
