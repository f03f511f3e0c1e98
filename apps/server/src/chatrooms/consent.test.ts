import { randomUUID } from 'node:crypto';
import { MUTED_ALWAYS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  changeConsent,
  changesSince,
  createPair,
  beginChat,
  openChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { upload } from '../../test/uploading.ts';
import { MEMBER_STATES } from '../../test/world.ts';
import { introduce } from './consent.service.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;

async function start(env: Record<string, string> = {}): Promise<void> {
  server = await startServer(env);
  ({ ada, bob, room } = await createPair(server, { content: 'first', isRequest: true }));
}

beforeEach(() => start());
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const act = (user: TestUser, action: string, id = room) =>
  user.request('POST', `/api/chatrooms/chats/${id}/${action}`);
const change = (user: TestUser, messageId: string, content?: string) =>
  content === undefined
    ? user.request('DELETE', '/api/messages/delete', { messageId })
    : user.request('PATCH', '/api/messages/edit', { messageId, content });
const find = async (user: TestUser, username: string) =>
  (await user.request('POST', '/api/chatrooms/exist', { username })).body;
const create = (user: TestUser, partnerName: string) =>
  user.request('POST', '/api/chatrooms/create', { partnerName, content: 'hi' });
const textsOf = async (user: TestUser) =>
  (await readChatroom(user, room)).chatroomMessages.map(({ content }) => content);

async function set(user: TestUser, columns: Record<string, string | number>): Promise<void> {
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set(columns).where('id', '=', user.id).execute(),
  );
}

describe('a request', () => {
  test('is marked for its recipient only, and answering accepts it', async () => {
    const request = { status: 'request', unreadMessagesCount: 1, readSeq: 0 };
    expect(await openChatList(bob)).toMatchObject([request]);
    expect(await openChat(bob, room)).toMatchObject(request);
    expect((await changesSince(bob, { [room]: 0 })).rooms).toMatchObject([{ chat: request }]);
    expect(await openChatList(ada)).toMatchObject([{ status: 'accepted' }]);
    expect(await openChat(ada, room)).toMatchObject({ status: 'accepted' });

    const events = recordEvents(server);
    await send(bob, room, 'answer');
    // Sending changes no other membership: the revision of the message makes it a new state for Ada.
    expect(events).toMatchObject([
      { type: 'relationship-changed', userId: bob.id, chatroomId: room },
      { type: 'message-sent', members: [bob.id, ada.id] },
      { type: 'chat-changed', userId: ada.id, chat: { chatId: room, rev: 2, memberRev: 0 } },
    ]);
    expect(events).toHaveLength(3);
    expect(events[2]).not.toHaveProperty('chat.isSentAsRequest');
    expect(await openChat(bob, room)).toMatchObject({ status: 'accepted', memberRev: 0 });
    expect(await act(bob, 'decline')).toMatchObject({
      status: 409,
      body: { code: 'already_accepted' },
    });
  });

  test('tells its sender only that it is accepted, without a new revision', async () => {
    const before = await openChat(ada, room);
    expect(before).toMatchObject({ status: 'accepted', isSentAsRequest: true });
    expect(await changesSince(ada, { [room]: 0 })).toMatchObject({ rooms: [{ chat: before }] });
    const events = recordEvents(server);
    await changeConsent(bob, room, 'accept');
    await changeConsent(bob, room, 'accept');
    const { isSentAsRequest: _told, ...accepted } = { ...before, memberRev: 1 };
    expect(events).toEqual([
      { type: 'chat-changed', userId: ada.id, chat: accepted },
      { type: 'relationship-changed', userId: bob.id, chatroomId: room },
      { type: 'chat-changed', userId: bob.id, chat: await openChat(bob, room) },
    ]);
    expect(events[2]).toMatchObject({ chat: { status: 'accepted' } });
    expect(await openChat(ada, room)).toEqual(accepted);
    await send(ada, room, 'second');
    expect(events[3]).toMatchObject({ type: 'message-sent' });
    expect(events[3]).not.toHaveProperty('unaccepted');
  });

  test('is gone for its recipient once declined and comes back with the next message', async () => {
    const events = recordEvents(server);
    await changeConsent(bob, room, 'decline');
    await changeConsent(bob, room, 'decline');
    expect(events).toMatchObject([
      { type: 'erasure-queued' },
      { type: 'relationship-changed', userId: bob.id, chatroomId: room },
      { type: 'chat-changed', userId: bob.id, chat: { status: 'none', clearedSeq: 1 } },
    ]);
    expect(await openChatList(bob)).toEqual([]);
    const missing = await bob.request('GET', `/api/chatrooms/chats/${randomUUID()}`);
    const declined = await bob.request('GET', `/api/chatrooms/chats/${room}`);
    expect([declined.status, declined.body]).toEqual([missing.status, missing.body]);
    expect(await changesSince(bob, { [room]: 0 })).toMatchObject({ rooms: [], gone: [room] });
    expect(await find(bob, 'Ada')).toEqual({ chatroom: 'new-chatroom', partnerName: 'Ada' });
    expect((await act(bob, 'accept')).status).toBe(404);
    expect((await act(bob, 'mark-as-read')).status).toBe(404);

    await send(ada, room, 'again');
    expect(events.at(-1)).toMatchObject({
      unaccepted: { userId: bob.id, isQuiet: true },
      members: [ada.id, bob.id],
    });
    expect(await openChatList(bob)).toMatchObject([
      { status: 'request', unreadMessagesCount: 1, lastMessage: { content: 'again' } },
    ]);
    expect(await textsOf(bob)).toEqual(['again']);
    expect((await changesSince(bob, { [room]: 0 })).rooms).toMatchObject([
      { updated: [{ content: 'again' }], deleted: [{ seq: 1 }], rev: 2 },
    ]);
    expect(await textsOf(ada)).toEqual(['first', 'again']);
  });

  test('that was declined or blocked looks to its sender as one that waits', async () => {
    const before = await readChatroom(ada, room);
    const events = recordEvents(server);
    await changeConsent(bob, room, 'decline');
    expect(await readChatroom(ada, room)).toEqual(before);
    await changeConsent(bob, room, 'block');
    expect(await readChatroom(ada, room)).toEqual(before);
    expect(events.filter((event) => 'userId' in event && event.userId === ada.id)).toEqual([]);
  });

  test('is accepted by a search for its sender, which opens it', async () => {
    const events = recordEvents(server);
    const found = { chatroom: room, partnerName: 'Ada' };
    expect(await find(bob, 'Ada')).toEqual({ ...found, wasRequest: true });
    expect(events).toMatchObject([
      { type: 'chat-changed', userId: ada.id },
      { type: 'relationship-changed', userId: bob.id },
      { type: 'chat-changed', userId: bob.id, chat: { status: 'accepted' } },
    ]);
    expect(await find(bob, 'Ada')).toEqual(found);
    await changeConsent(bob, room, 'block');
    expect(await find(bob, 'Ada')).toMatchObject({ code: 'partner_blocked' });
  });

  test('that was declined does not come back if the recipient accepts none', async () => {
    await changeConsent(bob, room, 'decline');
    await set(bob, { who_may_write: 'invited' });
    const events = recordEvents(server);
    await send(ada, room, 'again');
    expect(events).toMatchObject([{ type: 'message-sent', members: [ada.id] }]);
    expect(await openChatList(bob)).toEqual([]);
    // Sending to the declined chat accepts it, but does not deliver what was withheld.
    await send(bob, room, 'hello');
    expect(await textsOf(bob)).toEqual(['hello']);
    expect(await textsOf(ada)).toEqual(['first', 'again', 'hello']);
  });

  test('that was declined is accepted by a first message to its sender', async () => {
    await changeConsent(bob, room, 'decline');
    expect((await create(bob, 'Ada')).body).toEqual({ chatroomId: room });
    expect(await openChatList(bob)).toMatchObject([{ status: 'accepted' }]);
  });

  test('is not listed any more once the account of its sender is deleted', async () => {
    const carol = await server.signIn('Carol');
    const accepted = await beginChat(carol, bob);
    await eraseAccount(server, ada);
    await eraseAccount(server, carol);
    expect((await openChatList(bob)).map(({ chatId }) => chatId)).toEqual([accepted]);
  });

  test('is not sent to users who accept no first messages', async () => {
    const carol = await server.signIn('Carol');
    await set(carol, { who_may_write: 'nobody' });
    expect(await find(ada, 'Carol')).toMatchObject({ chatroom: 'new-chatroom', isClosed: true });
    expect(await create(ada, 'Carol')).toMatchObject({
      status: 403,
      body: { code: 'not_accepting_messages' },
    });
    expect(await openChatList(carol)).toEqual([]);
  });
});

describe('a first message to a user who accepts messages of everyone', () => {
  let chat: string;
  beforeEach(async () => {
    const carol = await server.signIn('Carol');
    bob = carol;
    chat = await beginChat(ada, carol, 'hi', { isUndecided: true });
  });

  test('starts a chat like any other, which the user has not accepted yet', async () => {
    const undecided = { status: 'undecided', unreadMessagesCount: 1 };
    expect(await openChatList(bob)).toMatchObject([undecided]);
    expect(await openChat(bob, chat)).toMatchObject(undecided);
    expect((await changesSince(bob, { [chat]: 0 })).rooms).toMatchObject([{ chat: undecided }]);
    expect(await openChat(ada, chat)).toMatchObject({ status: 'accepted' });
    for (const shown of [await openChat(ada, chat), await openChat(bob, chat)]) {
      expect(shown).not.toHaveProperty('isSentAsRequest');
    }
    const events = recordEvents(server);
    await send(ada, chat, 'more');
    expect(events).toMatchObject([{ unaccepted: { userId: bob.id, isQuiet: false } }]);
    await send(bob, chat, 'answer');
    expect(await openChat(bob, chat)).toMatchObject({ status: 'accepted' });
  });

  test('can be pinned, and stays in the list once the account of its sender is deleted', async () => {
    const path = `/api/chatrooms/chats/${chat}/settings`;
    expect((await bob.request('PATCH', path, { isMarkedUnread: true })).status).toBe(200);
    await eraseAccount(server, ada);
    expect(await openChatList(bob)).toMatchObject([{ chatId: chat, isDeletedAccount: true }]);
  });

  test('is a quiet request from the next message on if the user changes the setting', async () => {
    await set(bob, { who_may_write: 'requests' });
    expect(await openChat(bob, chat)).toMatchObject({ status: 'undecided' });
    await send(ada, chat, 'more');
    expect(await openChat(bob, chat)).toMatchObject({ status: 'request' });
    expect(await openChat(ada, chat)).toMatchObject({ isSentAsRequest: true });
    await set(bob, { who_may_write: 'nobody' });
    await send(ada, chat, 'even more');
    expect(await openChat(bob, chat)).toMatchObject({ status: 'request' });
    await set(bob, { who_may_write: 'everyone' });
    await send(ada, chat, 'and more');
    expect(await openChat(bob, chat)).toMatchObject({ status: 'undecided' });
  });

  test('is accepted by a search for its sender, without having been a request', async () => {
    expect(await find(bob, 'Ada')).toEqual({ chatroom: chat, partnerName: 'Ada' });
    expect(await openChat(bob, chat)).toMatchObject({ status: 'accepted' });
  });
});

test(
  'messages to users who have not accepted are limited per hour, also in a new chatroom',
  { tags: ['postgres'] },
  async () => {
    await server.close();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:30:00Z') });
    await start({ PARLEY_RATE_LIMITS: 'true' });
    const accepted = await beginChat(ada, await server.signIn('Carol'));
    // Two messages were sent already.
    for (let i = 0; i < 58; i++) await send(ada, room, `${i}`);
    const limited = await ada.request('POST', '/api/messages/send', {
      chatroom: room,
      content: 'x',
    });
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(limited.headers.get('retry-after'))).toBe(1_800);
    // What the partner sees of changes is limited, too.
    const { body: sent } = await ada.request('GET', `/api/chatrooms/chats/${room}`);
    const messageId: string = sent.chatroomMessages[0]._id;
    expect((await change(ada, messageId, 'edited')).status).toBe(429);
    const reaction = { messageId, emoji: '👍', isOn: true };
    expect((await ada.request('POST', '/api/messages/react', reaction)).status).toBe(429);
    expect((await change(ada, messageId)).status).toBe(200);
    await server.signIn('Dora');
    expect((await create(ada, 'Dora')).status).toBe(429);
    await send(ada, accepted, 'not limited');
    vi.setSystemTime(Date.parse('2030-01-01T01:00:00Z'));
    expect((await create(ada, 'Dora')).status).toBe(201);
  },
);

describe('a block', () => {
  beforeEach(() => changeConsent(bob, room, 'accept'));

  test('hides the chat from the blocker, who can still read it', async () => {
    await changeConsent(bob, room, 'block');
    await changeConsent(bob, room, 'block');
    expect(await openChatList(bob)).toEqual([]);
    const blocked = { status: 'blocked', unreadMessagesCount: 0 };
    expect(await openChat(bob, room)).toMatchObject(blocked);
    expect((await changesSince(bob, { [room]: 1 })).rooms).toMatchObject([{ chat: blocked }]);
    expect((await bob.request('GET', '/api/chatrooms/blocked')).body).toMatchObject({
      blocked: [{ chatId: room, username: 'Ada', isDeletedAccount: false }],
    });
    const refused = { status: 403, body: { code: 'partner_blocked' } };
    expect(await create(bob, 'Ada')).toMatchObject(refused);
    expect(await find(bob, 'Ada')).toMatchObject({ code: 'partner_blocked' });
    const body = { chatroom: room, content: 'x' };
    expect(await bob.request('POST', '/api/messages/send', body)).toMatchObject(refused);
    expect((await ada.request('GET', '/api/chatrooms/blocked')).body).toEqual({ blocked: [] });
  });

  test('withholds messages forever, and the sender sees them', async () => {
    await changeConsent(bob, room, 'block');
    const events = recordEvents(server);
    const clientId = randomUUID();
    const sent = await send(ada, room, 'secret', clientId);
    expect(await send(ada, room, 'secret', clientId)).toEqual(sent);
    expect(events).toMatchObject([{ type: 'message-sent', members: [ada.id] }]);
    await changeConsent(bob, room, 'unblock');
    expect(events.slice(1)).toMatchObject([
      { type: 'relationship-changed', userId: bob.id, chatroomId: room },
      { type: 'chat-changed', userId: bob.id, chat: { chatId: room, status: 'accepted' } },
    ]);

    expect(await textsOf(bob)).toEqual(['first']);
    expect(await openChatList(bob)).toMatchObject([
      { unreadMessagesCount: 0, lastMessage: { content: 'first' }, rev: 2 },
    ]);
    expect((await changesSince(bob, { [room]: 1 })).rooms).toMatchObject([
      { updated: [], deleted: [{ _id: sent._id, seq: 2, rev: 2 }], rev: 2 },
    ]);
    expect(await change(bob, sent._id)).toMatchObject({ status: 404 });
    expect(await textsOf(ada)).toEqual(['first', 'secret']);
    // Editing does not deliver it either.
    expect((await change(ada, sent._id, 'secret too')).status).toBe(200);
    expect(events.at(-1)).toMatchObject({ type: 'message-edited', members: [ada.id] });
    expect(await textsOf(bob)).toEqual(['first']);
    await send(ada, room, 'later');
    expect(await textsOf(bob)).toEqual(['first', 'later']);
  });

  test('hides a message that its sender edits during the block, and deletes one that its sender deletes', async () => {
    const [edited, deleted] = [
      await send(ada, room, 'edit me'),
      await send(ada, room, 'delete me'),
    ];
    const own = await send(bob, room, 'mine');
    await changeConsent(bob, room, 'block');
    const events = recordEvents(server);
    await change(ada, edited._id, 'edited');
    await change(ada, deleted._id);
    expect(events).toMatchObject([
      { type: 'message-edited', members: [ada.id] },
      { type: 'message-deleted', members: [ada.id] },
      { type: 'chat-changed', userId: ada.id, chat: { rev: 6 } },
    ]);
    expect(await change(bob, own._id, 'changed')).toMatchObject({
      status: 403,
      body: { code: 'partner_blocked' },
    });
    expect((await change(bob, own._id)).status).toBe(200);
    expect(events.slice(3)).toMatchObject([
      { type: 'message-deleted', members: [bob.id, ada.id] },
      { type: 'chat-changed', userId: ada.id, chat: { rev: 7 } },
      { type: 'chat-changed', userId: bob.id, chat: { rev: 7 } },
    ]);
    expect(await textsOf(bob)).toEqual(['first']);
    expect(await textsOf(ada)).toEqual(['first', 'edited']);
  });

  test('hides uploads that are sent during the block', async () => {
    await changeConsent(bob, room, 'block');
    const { url } = (await upload(ada, 'image', sample('picture.png'))).body;
    await send(ada, room, url);
    const { pathname } = new URL(url, server.url);
    expect((await ada.request('GET', pathname)).status).toBe(200);
    expect((await bob.request('GET', pathname)).status).toBe(404);
    await changeConsent(bob, room, 'unblock');
    expect((await bob.request('GET', pathname)).status).toBe(404);
  });

  test('of a request ends as a request, and of a declined one as none', async () => {
    const carol = await server.signIn('Carol');
    room = await beginChat(carol, bob, 'first', { isRequest: true });
    const events = recordEvents(server);
    for (const action of ['block', 'unblock', 'block', 'decline', 'unblock'] as const) {
      await changeConsent(bob, room, action);
    }
    const told = events.filter((event) => event.type === 'chat-changed');
    expect(told.every(({ userId }) => userId === bob.id)).toBe(true);
    expect(told.map(({ chat }) => chat.status)).toEqual([
      'blocked',
      'request',
      'blocked',
      'blocked',
      'none',
    ]);
  });

  test('hides the deletion of the blocked account until the list of blocked users is opened', async () => {
    await changeConsent(bob, room, 'block');
    const events = recordEvents(server);
    await eraseAccount(server, ada);
    expect(events.filter(({ type }) => type === 'chat-changed')).toEqual([]);
    expect((await bob.request('GET', '/api/chatrooms/blocked')).body.blocked).toMatchObject([
      { chatId: room, username: 'deletedUser', isDeletedAccount: true },
    ]);
  });
});

test('a hidden or suspended user exists only for those who share a chatroom', async () => {
  const carol = await server.signIn('Carol');
  for (const columns of [{ is_discoverable: 0 }, { suspended_at: 1 }]) {
    await set(bob, columns);
    const missing = await carol.request('POST', '/api/chatrooms/exist', { username: 'Nobody' });
    const hidden = await carol.request('POST', '/api/chatrooms/exist', { username: 'Bob' });
    expect([hidden.status, hidden.body]).toEqual([404, missing.body]);
    expect(await create(carol, 'Bob')).toMatchObject({ body: { code: 'user_not_found' } });
    expect(await find(ada, 'Bob')).toEqual({ chatroom: room, partnerName: 'Bob' });
    expect(await find(bob, 'Bob')).toMatchObject({ code: 'self_search' });
  }
});

test('accepting at the same time as blocking leaves no trace unless it came first', async () => {
  await bob.request('PATCH', '/api/users/settings', { whoMayWrite: 'everyone' });
  for (const action of ['accept', 'find'] as const) {
    const sender = await server.signIn(`Sender ${action}`);
    const id = await beginChat(sender, bob, 'hi', { isUndecided: true });
    const events = recordEvents(server);
    const [, { status }] = await Promise.all([
      act(bob, 'block', id),
      action === 'accept'
        ? act(bob, 'accept', id)
        : bob.request('POST', '/api/chatrooms/exist', { username: sender.username }),
    ]);
    const isAcceptedFirst = status === 200;
    const isTold = events.some((event) => event.type === 'chat-changed' && event.userId !== bob.id);
    expect(isTold).toBe(isAcceptedFirst);
    await changeConsent(bob, id, 'unblock');
    const { status: after } = await openChat(bob, id);
    expect(after).toBe(isAcceptedFirst ? 'accepted' : 'undecided');
  }
});

test('a chat that becomes a request or is declined frees its pin, and one that is declined forgets its settings', async () => {
  await bob.request('PATCH', '/api/users/settings', { whoMayWrite: 'everyone' });
  const senders = [await server.signIn('Carol'), await server.signIn('Dora')];
  const rooms = [];
  for (const sender of senders) {
    const id = await beginChat(sender, bob, 'hi', { isUndecided: true });
    const settings = { isPinned: true, mutedUntil: MUTED_ALWAYS };
    await bob.request('PATCH', `/api/chatrooms/chats/${id}/settings`, settings);
    rooms.push({ sender, id });
  }
  await changeConsent(bob, rooms[0]?.id ?? '', 'decline');
  await bob.request('PATCH', '/api/users/settings', { whoMayWrite: 'requests' });
  for (const { sender, id } of rooms) await send(sender, id, 'again');
  const settings = (await openChatList(bob)).map((chat) => [chat.usernames[0], chat.settings]);
  expect(Object.fromEntries(settings)).toEqual({
    Ada: undefined,
    Carol: undefined,
    Dora: { mutedUntil: MUTED_ALWAYS },
  });
});

test('an introduction makes both users accept each other and keeps a block', async () => {
  const run = (a: TestUser, b: TestUser) =>
    server.ctx.storage.write((write) => introduce(write, a.id, b.id));
  await changeConsent(bob, room, 'block');
  const events = recordEvents(server);
  expect(await run(ada, bob)).toBe(room);
  const told = () => events.filter((event) => event.type === 'chat-changed');
  expect(told()).not.toHaveLength(0);
  expect(new Set(told().map(({ userId }) => userId))).toEqual(new Set([ada.id]));
  expect(told().at(-1)?.chat).toEqual(await openChat(ada, room));
  expect(await openChat(bob, room)).toMatchObject({ status: 'blocked' });
  events.length = 0;

  const carol = await server.signIn('Carol');
  const created = await run(carol, bob);
  expect(new Set(told().map(({ userId }) => userId))).toEqual(new Set([bob.id, carol.id]));
  expect(await openChatList(bob)).toMatchObject([
    { chatId: created, lastMessage: null, status: 'accepted' },
  ]);
});

// The statuses of accept, decline, block, unblock, opening, marking as read, sending, finding the
// partner and creating the chatroom again.
test.each([
  ['accepted', [200, 409, 200, 200, 200, 200, 201, 200, 201]],
  ['requested', [200, 200, 200, 200, 200, 200, 201, 200, 201]],
  ['declined', [404, 200, 200, 200, 404, 404, 201, 200, 201]],
  ['blocked', [403, 409, 200, 200, 200, 200, 403, 403, 403]],
  ['requested and blocked', [403, 200, 200, 200, 200, 200, 403, 403, 403]],
  ['declined and blocked', [404, 200, 200, 200, 404, 404, 403, 403, 403]],
] as const)(
  'a member who has %s the partner can do what the state permits',
  async (state, expected) => {
    const statuses: number[] = [];
    for (const [i] of expected.entries()) {
      const sender = await server.signIn(`Sender${i}`);
      const id = await beginChat(sender, bob, 'hi', { isRequest: true });
      for (const action of MEMBER_STATES[state]) await changeConsent(bob, id, action);
      const requests = [
        () => act(bob, 'accept', id),
        () => act(bob, 'decline', id),
        () => act(bob, 'block', id),
        () => act(bob, 'unblock', id),
        () => bob.request('GET', `/api/chatrooms/chats/${id}`),
        () => act(bob, 'mark-as-read', id),
        () => bob.request('POST', '/api/messages/send', { chatroom: id, content: 'x' }),
        () => bob.request('POST', '/api/chatrooms/exist', { username: sender.username }),
        () => create(bob, sender.username),
      ];
      statuses.push((await requests[i]?.())?.status ?? 0);
    }
    expect(statuses).toEqual(expected);
  },
);
