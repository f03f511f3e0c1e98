import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MUTED_ALWAYS, type ChatSettingsBody } from '@parley/contract';
import {
  changeConsent,
  changesSince,
  createPair,
  createRoom,
  openChatList,
  openRoom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;

beforeEach(async () => {
  server = await startServer();
  ({ ada, bob, room } = await createPair(server));
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const change = (user: TestUser, body: ChatSettingsBody | object, id = room) =>
  user.request('PATCH', `/api/chatrooms/chats/${id}/settings`, body);
const settingsOf = async (user: TestUser, id = room) =>
  (await openChatList(user)).find(({ chatId }) => chatId === id)?.settings;
const markAsRead = (user: TestUser, seq?: number) =>
  user.request(
    'POST',
    `/api/chatrooms/chats/${room}/mark-as-read`,
    seq === undefined ? {} : { seq },
  );

async function createRooms(count: number): Promise<string[]> {
  const rooms: string[] = [];
  for (let i = 0; i < count; i += 1) {
    rooms.push(await createRoom(await server.signIn(`Partner${i}`), ada, `${i}`));
  }
  return rooms;
}

describe('settings of a chat', () => {
  test('are stored for the user only and sent to the devices of the user only', async () => {
    const before = await openRoom(bob, room);
    const events = recordEvents(server);
    const mutedUntil = '2040-01-01T00:00:00.000Z';
    const body = { isPinned: true, mutedUntil, isMarkedUnread: true };
    const settings = { version: 1, ...body };
    expect(await change(ada, body)).toMatchObject({ status: 200, body: settings });
    expect(await change(ada, { isPinned: true })).toMatchObject({ status: 200, body: settings });
    expect(events).toEqual([{ type: 'chat-settings', userId: ada.id, chatroomId: room, settings }]);
    expect(await settingsOf(ada)).toEqual(settings);
    expect((await changesSince(ada, { [room]: 1 })).rooms).toMatchObject([{ settings }]);
    expect(await settingsOf(bob)).toBeUndefined();
    expect(await openRoom(bob, room)).toEqual(before);

    const off = { isPinned: false, mutedUntil: null, isMarkedUnread: false };
    expect((await change(ada, off)).body).toEqual({ version: 2 });
    expect(await settingsOf(ada)).toEqual({ version: 2 });
  });

  test('do not exist for others, requests and blocked chats', async () => {
    const carol = await server.signIn('Carol');
    expect(await change(carol, { isPinned: true })).toMatchObject({
      status: 404,
      body: { code: 'room_not_found' },
    });
    const request = await createRoom(carol, ada, 'hi', { isRequest: true });
    expect(await change(ada, { mutedUntil: MUTED_ALWAYS }, request)).toMatchObject({
      status: 403,
      body: { code: 'request_not_accepted' },
    });
    await changeConsent(ada, room, 'block');
    expect(await change(ada, { isArchived: true })).toMatchObject({
      status: 403,
      body: { code: 'partner_blocked' },
    });
    expect((await change(bob, { isArchived: true })).status).toBe(200);
  });

  test.each([
    { mutedUntil: 'tomorrow' },
    { mutedUntil: '+010000-01-01T00:00:00.000Z' },
    { mutedUntil: '1969-01-01T00:00:00.000Z' },
    { mutedUntil: 5 },
    { isPinned: 'yes' },
    { isPinned: true, isArchived: true },
  ])('are refused if invalid: %j', async (body) => {
    expect(await change(ada, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(await settingsOf(ada)).toBeUndefined();
  });
});

describe('pinned chats', () => {
  test('are first in the list, and at most five', async () => {
    const rooms = await createRooms(5);
    for (const id of [room, ...rooms.slice(0, 4)]) await change(ada, { isPinned: true }, id);
    const refused = { status: 403, body: { code: 'pin_limit' } };
    expect(await change(ada, { isPinned: true }, rooms[4])).toMatchObject(refused);
    const order = (await openChatList(ada)).map(({ chatId }) => chatId);
    expect(order).toEqual([rooms[3], rooms[2], rooms[1], rooms[0], room, rooms[4]]);

    await change(ada, { isPinned: false }, rooms[0]);
    expect((await change(ada, { isPinned: true }, rooms[4])).status).toBe(200);
  });

  test('are at most five even if devices pin others at the same time', async () => {
    const rooms = await createRooms(8);
    const outcomes = await Promise.all(rooms.map((id) => change(ada, { isPinned: true }, id)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(5);
    const list = await openChatList(ada);
    expect(list.filter(({ settings }) => settings?.isPinned)).toHaveLength(5);
  });

  test('lose their pin when they are archived or blocked, or the partner is deleted', async () => {
    const rooms = await createRooms(7);
    for (const id of [room, ...rooms.slice(0, 4)]) await change(ada, { isPinned: true }, id);
    await change(ada, { isArchived: true }, rooms[0]);
    await changeConsent(ada, String(rooms[1]), 'block');
    await eraseAccount(server, bob);
    expect(await settingsOf(ada)).toEqual({ version: 1 });
    expect(await change(ada, { isPinned: false })).toMatchObject({ status: 200 });
    expect(await change(ada, { isPinned: true })).toMatchObject({
      status: 403,
      body: { code: 'partner_deleted' },
    });
    for (const id of rooms.slice(4)) {
      expect((await change(ada, { isPinned: true }, id)).status).toBe(200);
    }
    await changeConsent(ada, String(rooms[1]), 'unblock');
    expect(await settingsOf(ada, rooms[1])).toEqual({ version: 2 });
    expect((await openChatList(ada)).at(-1)?.chatId).toBe(room);
  });
});

describe('an archived chat', () => {
  test('comes back with the next message of the partner, even if it is deleted', async () => {
    await change(ada, { isPinned: true });
    expect((await change(ada, { isArchived: true })).body).toEqual({
      version: 2,
      isArchived: true,
    });
    await send(ada, room, 'own');
    expect(await settingsOf(ada)).toEqual({ version: 2, isArchived: true });
    const events = recordEvents(server);
    const { _id: messageId } = await send(bob, room, 'back');
    expect(events.map(({ type }) => type)).toEqual(['message-sent']);
    expect(await settingsOf(ada)).toEqual({ version: 2 });
    expect((await changesSince(ada, { [room]: 1 })).rooms[0]?.settings).toEqual({ version: 2 });
    await bob.request('DELETE', '/api/messages/delete', { messageId });
    expect(await settingsOf(ada)).toEqual({ version: 2 });

    expect((await change(ada, { isArchived: true })).body).toEqual({
      version: 3,
      isArchived: true,
    });
    expect((await change(ada, { isPinned: true })).body).toEqual({ version: 4, isPinned: true });
  });

  test('stays out of the archive if the account of the partner is deleted afterwards', async () => {
    await send(ada, room, 'to be kept');
    await change(ada, { isArchived: true });
    const [other] = await createRooms(1);
    await change(ada, { isArchived: true }, other);
    await send(bob, room, 'back');
    await eraseAccount(server, bob);
    expect(await settingsOf(ada)).toEqual({ version: 1 });
    expect(await settingsOf(ada, other)).toEqual({ version: 1, isArchived: true });
  });

  test('stays archived if the account of the partner is deleted', async () => {
    await send(bob, room, 'before');
    await change(ada, { isArchived: true });
    await eraseAccount(server, bob);
    expect(await settingsOf(ada)).toEqual({ version: 1, isArchived: true });
  });

  test('is not archived if the partner wrote after what the user knew', async () => {
    await send(bob, room, 'unknown');
    const body = { isArchived: true, archivedSeq: 1 };
    expect((await change(ada, body)).body).toEqual({ version: 1 });
    const known = { isArchived: true, archivedSeq: 2 };
    expect((await change(ada, known)).body).toEqual({ version: 2, isArchived: true });
  });

  test('is archived if the partner has deleted what they wrote after what the user sees', async () => {
    const { _id: messageId } = await send(bob, room, 'a mistake');
    await bob.request('DELETE', '/api/messages/delete', { messageId });
    const body = { isArchived: true, archivedSeq: 1 };
    expect((await change(ada, body)).body).toEqual({ version: 1, isArchived: true });
    await send(bob, room, 'news');
    expect(await settingsOf(ada)).toEqual({ version: 1 });
  });

  test('stays archived while it is muted, and afterwards until a message is not muted', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const mutedUntil = new Date(start + 1_000).toISOString();
    await change(ada, { isArchived: true, mutedUntil });
    await send(bob, room, 'muted');
    vi.setSystemTime(start + 2_000);
    const archived = { version: 1, isArchived: true, mutedUntil };
    expect(await settingsOf(ada)).toEqual(archived);
    await change(ada, { mutedUntil: null });
    expect(await settingsOf(ada)).toEqual({ version: 2, isArchived: true });
    await send(bob, room, 'loud');
    expect(await settingsOf(ada)).toEqual({ version: 2 });
    // Muting a chat that has come back does not archive it again.
    await change(ada, { mutedUntil: MUTED_ALWAYS });
    expect(await settingsOf(ada)).toEqual({ version: 3, mutedUntil: MUTED_ALWAYS });
  });
});

describe('a chat marked as unread', () => {
  test('keeps its read position until it is read', async () => {
    await send(bob, room, 'news');
    await markAsRead(ada);
    await change(ada, { isMarkedUnread: true });
    expect(await openRoom(ada, room)).toMatchObject({ readSeq: 2, unreadMessagesCount: 0 });
    // A request that was sent before, and arrives late.
    await markAsRead(ada, 2);
    expect(await settingsOf(ada)).toEqual({ version: 1, isMarkedUnread: true });

    const events = recordEvents(server);
    expect((await markAsRead(ada)).body).toEqual({ readSeq: 2, unreadMessagesCount: 0 });
    expect(events).toEqual([
      { type: 'chat-settings', userId: ada.id, chatroomId: room, settings: { version: 2 } },
    ]);
    await change(ada, { isMarkedUnread: true });
    await send(bob, room, 'more');
    await markAsRead(ada, 3);
    expect(await settingsOf(ada)).toEqual({ version: 4 });
  });
});
