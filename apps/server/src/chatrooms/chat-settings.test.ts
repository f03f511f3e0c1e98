import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MUTED_ALWAYS, type ChatSettingsBody, type ChatState } from '@parley/contract';
import {
  changeConsent,
  changesSince,
  createPair,
  beginChat,
  openChat,
  openChatList,
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
/** Changes settings of Ada's chat, and returns its state. */
const set = async (body: ChatSettingsBody, id = room): Promise<ChatState> => {
  const response = await change(ada, body, id);
  expect(response.status).toBe(200);
  return response.body.chat;
};
const settingsOf = async (user: TestUser, id = room) =>
  (await openChatList(user)).find(({ chatId }) => chatId === id)?.settings;
const markAsRead = (user: TestUser, seq?: number) =>
  user.request(
    'POST',
    `/api/chatrooms/chats/${room}/mark-as-read`,
    seq === undefined ? {} : { seq },
  );

/** Who began the chats of `beginChats`. */
let partners: TestUser[];

async function beginChats(count: number): Promise<string[]> {
  const rooms: string[] = [];
  partners = [];
  for (let i = 0; i < count; i += 1) {
    const partner = await server.signIn(`Partner${i}`);
    partners.push(partner);
    rooms.push(await beginChat(partner, ada, `${i}`));
  }
  return rooms;
}

describe('settings of a chat', () => {
  test('are stored for the user only and sent to the devices of the user only', async () => {
    const before = await openChat(bob, room);
    const { memberRev } = await openChat(ada, room);
    const events = recordEvents(server);
    const mutedUntil = '2040-01-01T00:00:00.000Z';
    const settings = { isPinned: true, mutedUntil, isMarkedUnread: true };
    const chat = await set(settings);
    expect(chat).toMatchObject({
      settings: { ...settings, pinRank: 1 },
      rev: 1,
      memberRev: memberRev + 1,
    });
    expect(await set({ isPinned: true })).toEqual(chat);
    expect(events).toEqual([{ type: 'chat-changed', userId: ada.id, chat }]);
    expect(await openChatList(ada)).toEqual([chat]);
    expect((await changesSince(ada, { [room]: 1 })).rooms).toMatchObject([{ chat }]);
    expect(await settingsOf(bob)).toBeUndefined();
    expect(await openChat(bob, room)).toEqual(before);

    const off = { isPinned: false, mutedUntil: null, isMarkedUnread: false };
    const { settings: _none, ...plain } = chat;
    expect(await set(off)).toEqual({ ...plain, memberRev: memberRev + 2 });
    expect(await settingsOf(ada)).toBeUndefined();
  });

  test('do not exist for others, requests and blocked chats', async () => {
    const carol = await server.signIn('Carol');
    expect(await change(carol, { isPinned: true })).toMatchObject({
      status: 404,
      body: { code: 'room_not_found' },
    });
    const request = await beginChat(carol, ada, 'hi', { isRequest: true });
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
    const rooms = await beginChats(5);
    for (const id of [room, ...rooms.slice(0, 4)]) await change(ada, { isPinned: true }, id);
    const refused = { status: 403, body: { code: 'pin_limit' } };
    expect(await change(ada, { isPinned: true }, rooms[4])).toMatchObject(refused);
    const order = (await openChatList(ada)).map(({ chatId }) => chatId);
    expect(order).toEqual([rooms[3], rooms[2], rooms[1], rooms[0], room, rooms[4]]);

    await change(ada, { isPinned: false }, rooms[0]);
    expect((await change(ada, { isPinned: true }, rooms[4])).status).toBe(200);
  });

  test('are at most five even if devices pin others at the same time', async () => {
    const rooms = await beginChats(8);
    const outcomes = await Promise.all(rooms.map((id) => change(ada, { isPinned: true }, id)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(5);
    const list = await openChatList(ada);
    expect(list.filter(({ settings }) => settings?.isPinned)).toHaveLength(5);
  });

  test('lose their pin when they are archived or blocked, or the partner is deleted', async () => {
    const rooms = await beginChats(7);
    for (const id of [room, ...rooms.slice(0, 4)]) await change(ada, { isPinned: true }, id);
    await change(ada, { isArchived: true }, rooms[0]);
    await changeConsent(ada, String(rooms[1]), 'block');
    await eraseAccount(server, bob);
    expect(await settingsOf(ada)).toBeUndefined();
    expect(await change(ada, { isPinned: false })).toMatchObject({ status: 200 });
    expect(await change(ada, { isPinned: true })).toMatchObject({
      status: 403,
      body: { code: 'partner_deleted' },
    });
    for (const id of rooms.slice(4)) {
      expect((await change(ada, { isPinned: true }, id)).status).toBe(200);
    }
    await changeConsent(ada, String(rooms[1]), 'unblock');
    expect(await settingsOf(ada, rooms[1])).toBeUndefined();
    expect((await openChatList(ada)).at(-1)?.chatId).toBe(room);
  });
});

describe('the order of pinned chats', () => {
  const order = (user: TestUser, chats: readonly unknown[]) =>
    user.request('PATCH', '/api/chatrooms/pinned', { chats });
  const listIds = async () => (await openChatList(ada)).map(({ chatId }) => chatId);

  test('is that of the last request, also for chats that were pinned or unpinned elsewhere', async () => {
    const [a, b, c, unpinned] = await beginChats(4);
    // Not by the newest message: a chat is above the others when it is pinned.
    for (const id of [c, a, b, room]) await change(ada, { isPinned: true }, id);
    expect(await listIds()).toEqual([room, b, a, c, unpinned]);

    const { status, body } = await order(ada, [c, room, b, a]);
    expect(status).toBe(200);
    expect(await listIds()).toEqual([c, room, b, a, unpinned]);
    expect(body.chats).toEqual((await openChatList(ada)).slice(0, 4));
    await send(partners[0] ?? expect.fail(), String(a), 'news');
    expect(await listIds()).toEqual([c, room, b, a, unpinned]);

    // What this device does not know of stays above, and what it does not know to be unpinned stays unpinned.
    await change(ada, { isPinned: false }, b);
    await order(ada, [b, a, room, unpinned, crypto.randomUUID()]);
    expect((await listIds()).slice(0, 3)).toEqual([c, a, room]);
    // A chat that is pinned again is above the others.
    await change(ada, { isPinned: true }, b);
    expect((await listIds()).slice(0, 4)).toEqual([b, c, a, room]);
  });

  test('is told to the devices of the user only, and only for chats that move', async () => {
    const [a, b] = await beginChats(2);
    for (const id of [a, b, room]) await change(ada, { isPinned: true }, id);
    const before = await openChat(bob, room);
    const events = recordEvents(server);
    const { body } = await order(ada, [room, a, b]);
    expect(events).toEqual(
      [a, b].map((id) => ({
        type: 'chat-changed',
        userId: ada.id,
        chat: body.chats.find(({ chatId }: ChatState) => chatId === id),
      })),
    );
    await order(ada, [room, a, b]);
    expect(events).toHaveLength(2);
    expect(await openChat(bob, room)).toEqual(before);
    expect(await order(bob, [room])).toMatchObject({ status: 200, body: { chats: [] } });
    expect(await openChat(ada, room)).toMatchObject({ settings: { pinRank: 3 } });
  });

  test('has at most as many chats as can be pinned', async () => {
    const ids = Array.from({ length: 6 }, () => room);
    for (const chats of [ids, [5], ['x'.repeat(1_000)]]) {
      expect(await order(ada, chats)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });
});

describe('an archived chat', () => {
  test('comes back with the next message of the partner, even if it is deleted', async () => {
    await change(ada, { isPinned: true });
    const { settings, memberRev } = await set({ isArchived: true });
    expect(settings).toEqual({ isArchived: true });
    await send(ada, room, 'own');
    expect(await settingsOf(ada)).toEqual({ isArchived: true });
    const events = recordEvents(server);
    const { _id: messageId } = await send(bob, room, 'back');
    expect(events.map(({ type }) => type)).toEqual(['message-sent']);
    expect(await settingsOf(ada)).toBeUndefined();
    const [changes] = (await changesSince(ada, { [room]: 1 })).rooms;
    expect(changes?.chat).toMatchObject({ rev: 3, memberRev });
    expect(changes?.chat).not.toHaveProperty('settings');
    await bob.request('DELETE', '/api/messages/delete', { messageId });
    expect(await settingsOf(ada)).toBeUndefined();

    expect(await set({ isArchived: true })).toMatchObject({
      settings: { isArchived: true },
      memberRev: memberRev + 1,
    });
    const pinned = await set({ isPinned: true });
    expect(pinned.settings).toEqual({ isPinned: true, pinRank: 1 });
    expect(pinned.memberRev).toBe(memberRev + 2);
  });

  test('stays out of the archive if the account of the partner is deleted afterwards', async () => {
    await send(ada, room, 'to be kept');
    await change(ada, { isArchived: true });
    const [other] = await beginChats(1);
    await change(ada, { isArchived: true }, other);
    await send(bob, room, 'back');
    await eraseAccount(server, bob);
    expect(await settingsOf(ada)).toBeUndefined();
    expect(await settingsOf(ada, other)).toEqual({ isArchived: true });
  });

  test('stays archived if the account of the partner is deleted', async () => {
    await send(bob, room, 'before');
    await change(ada, { isArchived: true });
    await eraseAccount(server, bob);
    expect(await settingsOf(ada)).toEqual({ isArchived: true });
  });

  test('is not archived if the partner wrote after what the user knew', async () => {
    await send(bob, room, 'unknown');
    const { memberRev } = await openChat(ada, room);
    const unarchived = await set({ isArchived: true, archivedSeq: 1 });
    expect(unarchived.memberRev).toBe(memberRev + 1);
    expect(unarchived).not.toHaveProperty('settings');
    const archived = await set({ isArchived: true, archivedSeq: 2 });
    expect(archived).toMatchObject({ memberRev: memberRev + 2, settings: { isArchived: true } });
  });

  test('is archived if the partner has deleted what they wrote after what the user sees', async () => {
    const { _id: messageId } = await send(bob, room, 'a mistake');
    await bob.request('DELETE', '/api/messages/delete', { messageId });
    const { settings } = await set({ isArchived: true, archivedSeq: 1 });
    expect(settings).toEqual({ isArchived: true });
    await send(bob, room, 'news');
    expect(await settingsOf(ada)).toBeUndefined();
  });

  test('stays archived while it is muted, and afterwards until a message is not muted', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const mutedUntil = new Date(start + 1_000).toISOString();
    await change(ada, { isArchived: true, mutedUntil });
    await send(bob, room, 'muted');
    vi.setSystemTime(start + 2_000);
    expect(await settingsOf(ada)).toEqual({ isArchived: true, mutedUntil });
    await change(ada, { mutedUntil: null });
    expect(await settingsOf(ada)).toEqual({ isArchived: true });
    await send(bob, room, 'loud');
    expect(await settingsOf(ada)).toBeUndefined();
    // Muting a chat that has come back does not archive it again.
    await change(ada, { mutedUntil: MUTED_ALWAYS });
    expect(await settingsOf(ada)).toEqual({ mutedUntil: MUTED_ALWAYS });
  });
});

describe('a chat marked as unread', () => {
  test('keeps its read position until it is read', async () => {
    await send(bob, room, 'news');
    await markAsRead(ada);
    const marked = await set({ isMarkedUnread: true });
    const settings = { isMarkedUnread: true };
    expect(marked).toMatchObject({ readSeq: 2, unreadMessagesCount: 0, settings });
    // A request that was sent before, and arrives late.
    expect((await markAsRead(ada, 2)).body).toEqual({ chat: marked });
    expect(await openChat(ada, room)).toEqual(marked);

    const events = recordEvents(server);
    const { settings: _none, ...unmarked } = { ...marked, memberRev: marked.memberRev + 1 };
    expect((await markAsRead(ada)).body).toEqual({ chat: unmarked });
    expect(events).toEqual([{ type: 'chat-changed', userId: ada.id, chat: unmarked }]);
    await set(settings);
    await send(bob, room, 'more');
    const { body } = await markAsRead(ada, 3);
    expect(body.chat).toMatchObject({ readSeq: 3, memberRev: marked.memberRev + 3 });
    expect(await openChat(ada, room)).toEqual(body.chat);
    expect(await settingsOf(ada)).toBeUndefined();
  });
});
