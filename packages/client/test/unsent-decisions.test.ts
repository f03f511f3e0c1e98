import type { Message } from '@parley/contract';
import { startServer, type TestServer, type TestUser } from '@parley/server/test-server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findLoadedChatroom, type Client, type ClientEvents } from '../src/index.ts';
import { openSocket, type OpenSocket } from '../src/sync/socket.ts';
import { createDevice, openTabOn, type TestDevice } from './device.ts';
import { TIMING } from './histories/world/tab.ts';
import { HELD, holdTimers } from './hold-timers.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let chatroomId: string;
let device: TestDevice;
let clients: Client[];

const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

beforeEach(async () => {
  device = createDevice();
  clients = [];
  server = await startServer();
  [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  const body = { partnerName: 'Bob', content: 'first' };
  ({ chatroomId } = (await ada.request('POST', '/api/chatrooms/create', body)).body);
  await bob.request('POST', `/api/chatrooms/chats/${chatroomId}/accept`);
});

afterEach(async () => {
  for (const client of clients) client.dispose();
  await server.close();
});

/** Opens a tab of Ada's browser. */
async function openTab(
  events: Partial<ClientEvents> = {},
  timing = TIMING,
  open: OpenSocket = openSocket,
): Promise<Client> {
  const client = openTabOn(device, server, ada, { events, timing, openSocket: open });
  clients.push(client);
  await client.open(chatroomId);
  await until(() => expect(client.connection.getState().status).toBe('online'));
  return client;
}

const change = (user: TestUser, what: string, body?: object) =>
  user.request('POST', `/api/chatrooms/chats/${chatroomId}/${what}`, body);
const sendAs = (user: TestUser, content: string) =>
  user.request('POST', '/api/messages/send', { chatroom: chatroomId, content });
/** Sends Ada a first message, whose live event arrives after those of earlier changes. Resolves to its chatroom. */
async function sendMarker(): Promise<string> {
  const carl = await server.signIn('Carl');
  const body = { partnerName: 'Ada', content: 'marker' };
  return (await carl.request('POST', '/api/chatrooms/create', body)).body.chatroomId;
}
async function contentsSeenBy(user: TestUser): Promise<string[]> {
  const { body } = await user.request('GET', `/api/chatrooms/chats/${chatroomId}`);
  return (body as { chatroomMessages: Message[] }).chatroomMessages.map(({ content }) => content);
}
const entry = (client: Client) => client.rooms.getState().rooms[chatroomId];
const room = (client: Client) => findLoadedChatroom(client.rooms.getState(), chatroomId);
const untilSent = (client: Client) =>
  until(() => {
    expect(client.outbox.getState().entries).toEqual([]);
    expect(client.outbox.getState().changes).toEqual([]);
  });
/** Waits until the storage contains this text. */
const untilStored = (text: string) =>
  until(async () =>
    expect(JSON.stringify(await device.area.open().getAll('outbox'))).toContain(text),
  );

test('messages that were deleted before a block are deleted for the partner, too', async () => {
  for (const content of ['a secret', 'another']) await sendAs(ada, content);
  const client = await openTab();
  device.lost = ['/delete', '/block'];
  const [, ...secrets] = room(client)?.messages ?? [];
  for (const message of secrets) client.remove(message);
  client.block(chatroomId);
  expect(entry(client)).toMatchObject({ status: 'missing', isHidden: true });
  device.lost = ['/delete'];
  await until(() =>
    expect(client.outbox.getState().changes.every(({ key }) => key.startsWith('deletion:'))).toBe(
      true,
    ),
  );
  device.lost = [];
  await untilSent(client);
  expect(await contentsSeenBy(bob)).toEqual(['first']);
});

test('what is written after an unblock waits for it, also over a reload', async () => {
  await change(ada, 'block');
  const before = await openTab();
  await until(() => expect(room(before)?.status).toBe('blocked'));
  device.lost = ['/unblock'];
  before.unblock(chatroomId);
  expect(room(before)?.status).toBe('accepted');
  before.send(chatroomId, 'Hi again');
  before.drafts.getState().change(chatroomId, { text: 'half a sentence' });
  await untilStored('Hi again');
  before.dispose();

  const after = await openTab();
  await until(() => expect(room(after)?.unsent).toMatchObject([{ content: 'Hi again' }]));
  device.lost = [];
  await untilSent(after);
  expect(await contentsSeenBy(bob)).toEqual(['first', 'Hi again']);
  expect(after.drafts.getState().drafts).toEqual({
    [chatroomId]: { text: 'half a sentence', attachments: [] },
  });
});

test('messages to a partner who cannot be unblocked stay, as failed ones', async () => {
  await change(ada, 'block');
  const onChangeFailed = vi.fn<ClientEvents['onChangeFailed']>();
  const client = await openTab({ onChangeFailed });
  await until(() => expect(room(client)?.status).toBe('blocked'));
  device.refused = ['/unblock'];
  client.unblock(chatroomId);
  client.send(chatroomId, 'Hi again');
  await until(() => expect(onChangeFailed.mock.lastCall?.[1]).toBe('status'));
  expect(room(client)).toMatchObject({
    status: 'blocked',
    unsent: [{ content: 'Hi again', state: 'failed' }],
  });
  expect(await contentsSeenBy(bob)).toEqual(['first']);
});

test('nothing is announced of a partner whose block waits, live or after a reconnect', async () => {
  const onIncoming = vi.fn<ClientEvents['onIncoming']>();
  const client = await openTab({ onIncoming });
  device.lost = ['/block'];
  client.block(chatroomId);
  await sendAs(bob, 'live');
  await until(() => expect(client.outbox.getState().changes).toHaveLength(1));
  client.renewConnection();
  await sendAs(bob, 'missed');
  await sendMarker();
  await until(() => expect(onIncoming).toHaveBeenCalled());
  expect(onIncoming.mock.calls.map(([{ content }]) => content)).toEqual(['marker']);
});

test('a decision of one tab is shown in the other until the server has told that', async () => {
  const timing = { ...TIMING, eventWait: HELD };
  const [first, second] = [await openTab({}, timing), await openTab({}, timing)];
  const endHeld = holdTimers();
  const shown: string[][] = [];
  second.chats.subscribe(({ chats }) => shown.push(chats.map(({ id }) => id)));
  first.block(chatroomId);
  await until(() => expect(entry(second)).toMatchObject({ status: 'missing', isHidden: true }));
  await untilSent(first);
  const left = [await sendMarker()];
  await until(() => expect(shown.at(-1)).toEqual(left));
  endHeld();
  await untilSent(second);
  expect(entry(second)).toMatchObject({ status: 'missing', isHidden: true });
  // It does not appear again in between.
  const hiddenAt = shown.findIndex((ids) => !ids.includes(chatroomId));
  expect(shown.slice(hiddenAt).flat()).not.toContain(chatroomId);
  expect(shown.at(-1)).toEqual(left);
});

test('what one tab has read stays read in another whose live events and requests fail meanwhile', async () => {
  const [first, second] = [await openTab(), await openTab({}, TIMING, openDeafSocket)];
  await sendAs(bob, 'second');
  await until(() => expect(room(first)?.messages).toHaveLength(2));
  const shown: (number | undefined)[] = [];
  second.rooms.subscribe(() => shown.push(room(second)?.readSeq));
  device.lost = ['/api/chatrooms/chats'];
  first.markRead(chatroomId);
  await untilSent(first);
  await until(() => expect(shown).toContain(2));
  device.lost = [];
  await untilSent(second);
  expect(shown.slice(shown.indexOf(2))).not.toContain(0);
  expect(room(second)).toMatchObject({ readSeq: 2, messages: [{ seq: 1 }, { seq: 2 }] });
});

/** Opens a socket that connects but never hears of a changed chat. */
const openDeafSocket: OpenSocket = (...args) => {
  const socket = openSocket(...args);
  const on = socket.on.bind(socket) as (...listener: unknown[]) => typeof socket;
  return Object.assign(socket, {
    on: (name: string, ...listener: unknown[]) =>
      name === 'chat' ? socket : on(name, ...listener),
  });
};
