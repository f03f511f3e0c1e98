import { randomUUID } from 'node:crypto';
import { DELETED_USER, LIMITS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillChat, eraseAccount } from '../../test/fixtures.ts';
import {
  beginChat,
  openChat,
  openChatList,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
});
afterEach(() => server.close());

const markAsRead = (user: TestUser, id: string, body?: unknown, headers = {}) =>
  user.request('POST', `/api/chatrooms/chats/${id}/mark-as-read`, body, headers);
const unread = async (user: TestUser, id: string) =>
  (await readChatroom(user, id)).unreadMessagesCount;

describe('the chat list', () => {
  test('is empty without chatrooms and contains the current username', async () => {
    expect((await alice.request('GET', '/api/chatrooms/chats')).body).toEqual({
      chatrooms: [],
      currentUsername: 'Alice',
      volume: 'middle',
    });
  });

  test('lists the newest chatrooms first and deleted partners last', async () => {
    const names = ['Carol', 'Dave', 'Eve'];
    const rooms = new Map<string, string>();
    for (const name of names) {
      const partner = await server.signIn(name);
      rooms.set(name, await beginChat(alice, partner, `to ${name}`));
      if (name === 'Eve') await eraseAccount(server, partner);
    }
    const withBob = await beginChat(bob, alice);
    await send(alice, rooms.get('Carol') ?? '', 'again');

    const chats = await openChatList(alice);
    expect(chats.map(({ usernames }) => usernames)).toEqual([['Carol'], ['Bob'], ['Dave'], []]);
    expect(chats[1]).toEqual({
      chatId: withBob,
      rev: 1,
      // Alice has accepted it.
      memberRev: 1,
      usernames: ['Bob'],
      isDeletedAccount: false,
      status: 'accepted',
      lastMessage: { content: 'Hello', sender: bob.id, kind: 'text', seq: 1 },
      currentUserId: alice.id,
      timestamps: [expect.stringMatching(/Z$/)],
      activeAt: chats[1]?.timestamps[0],
      unreadMessagesCount: 1,
      readSeq: 0,
    });
    expect(await openChat(alice, withBob)).toEqual(chats[1]);
    expect(chats[3]).toMatchObject({
      isDeletedAccount: true,
      lastMessage: { content: 'to Eve', sender: alice.id },
    });
  });

  test('sorts a chatroom without messages by its creation time', async () => {
    const carol = await server.signIn('Carol');
    const before = new Date().toISOString();
    const withCarol = await beginChat(alice, carol);
    const [only] = (await readChatroom(alice, withCarol)).chatroomMessages;
    await beginChat(alice, bob);
    await alice.request('DELETE', '/api/messages/delete', { messageId: only?._id });
    const chats = await openChatList(alice);
    expect(chats.map(({ usernames }) => usernames)).toEqual([['Bob'], ['Carol']]);
    expect(chats[1]?.timestamps).toEqual([]);
    expect(before <= (chats[1]?.activeAt ?? '')).toBe(true);
    expect((chats[1]?.activeAt ?? '') <= (chats[0]?.activeAt ?? '')).toBe(true);
  });

  test('contains only the beginning of a long message', async () => {
    await beginChat(alice, bob, '👋'.repeat(5_000));
    expect((await openChatList(bob))[0]?.lastMessage?.content).toBe('👋'.repeat(1_000));
  });
});

describe('a chatroom', () => {
  test('returns 1,000 messages in pages without gaps or duplicates', async () => {
    const chatroomId = await beginChat(alice, bob);
    await fillChat(server, chatroomId, alice, 999);
    const newest = await readChatroom(bob, chatroomId);
    expect(newest.chatroomMessages).toHaveLength(50);
    expect(newest).toMatchObject({
      hasMore: true,
      unreadMessagesCount: 1_000,
      chat: { rev: 1_000, unreadMessagesCount: 1_000 },
    });

    for (const limit of [1, 7, 50, 200]) {
      const pages: number[][] = [];
      let before = limit === 1 ? 20 : 1_001;
      let hasMore = true;
      while (hasMore) {
        const page = await readChatroom(bob, chatroomId, `?before=${before}&limit=${limit}`);
        expect(page.chatroomMessages.length).toBeLessThanOrEqual(limit);
        pages.unshift(page.chatroomMessages.map(({ seq }) => seq));
        before = page.chatroomMessages[0]?.seq ?? 1;
        ({ hasMore } = page);
      }
      const count = limit === 1 ? 19 : 1_000;
      expect(pages.flat()).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    }
    expect(await readChatroom(bob, chatroomId, '?before=1')).toMatchObject({
      chatroomMessages: [],
      hasMore: false,
    });
  });

  test.each([Number.MAX_SAFE_INTEGER, 2 ** 63, '9223372036854775807', '1e21'])(
    'returns the newest messages before %s',
    async (before) => {
      const chatroomId = await beginChat(alice, bob);
      const { chatroomMessages } = await readChatroom(alice, chatroomId, `?before=${before}`);
      expect(chatroomMessages).toHaveLength(1);
    },
  );

  test.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'before=0', 'before=x', 'before='])(
    'responds with 400 to %s',
    async (query) => {
      const chatroomId = await beginChat(alice, bob);
      expect(
        await alice.request('GET', `/api/chatrooms/chats/${chatroomId}?${query}`),
      ).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    },
  );

  test('sends the same 404 for chatrooms of others, unknown ids and malformed ids', async () => {
    const carol = await server.signIn('Carol');
    const chatroomId = await beginChat(alice, bob);
    const ids = [
      chatroomId,
      randomUUID(),
      'x',
      'x'.repeat(90),
      '%00',
      "'",
      chatroomId.toUpperCase(),
    ];
    const responses = [];
    for (const id of ids) {
      responses.push(await carol.request('GET', `/api/chatrooms/chats/${id}`));
      responses.push(await markAsRead(carol, id));
    }
    for (const { status, body } of responses) {
      expect(status).toBe(404);
      expect(body).toEqual({ code: 'room_not_found', errorMessage: 'No such chat.' });
    }
  });

  test("remains without the partner's messages after the partner was deleted", async () => {
    const events = recordEvents(server);
    const chatroomId = await beginChat(alice, bob);
    await send(bob, chatroomId, "Bob's own");
    await eraseAccount(server, bob);
    const page = await readChatroom(alice, chatroomId);
    expect(page).toMatchObject({
      partnerName: DELETED_USER,
      unreadMessagesCount: 0,
      chat: { rev: 3, isDeletedAccount: true, usernames: [] },
    });
    expect(page.chatroomMessages.map(({ content }) => content)).toEqual(['Hello']);
    // Its messages are deleted for Alice at once, and get their revisions in the background.
    expect(events.at(-1)).toMatchObject({
      type: 'chat-changed',
      userId: alice.id,
      chat: {
        chatId: chatroomId,
        isDeletedAccount: true,
        usernames: [],
        lastMessage: { content: 'Hello' },
        unreadMessagesCount: 0,
      },
    });
  });

  test('is deleted once both members have deleted their accounts', async () => {
    await beginChat(alice, bob);
    await eraseAccount(server, bob);
    await eraseAccount(server, alice);
    for (const table of ['chatrooms', 'chatroom_members', 'messages'] as const) {
      expect(
        await server.ctx.storage.read((db) => db.selectFrom(table).selectAll().execute()),
      ).toEqual([]);
    }
  });

  test('requires a session', async () => {
    const chatroomId = await beginChat(alice, bob);
    for (const path of ['', `/${chatroomId}`]) {
      const response = await server.client().request('GET', `/api/chatrooms/chats${path}`);
      expect(response).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
  });
});

describe('the unread count', () => {
  test("counts the partner's messages after the read position and never the user's own", async () => {
    const chatroomId = await beginChat(alice, bob);
    await send(alice, chatroomId, '2');
    await send(bob, chatroomId, '3');
    expect(await unread(alice, chatroomId)).toBe(1);
    expect(await unread(bob, chatroomId)).toBe(2);
    expect((await openChatList(bob))[0]?.unreadMessagesCount).toBe(2);
  });

  test('is not reduced by replying', async () => {
    const chatroomId = await beginChat(alice, bob);
    await send(bob, chatroomId, 'answer');
    expect(await unread(bob, chatroomId)).toBe(1);
    expect((await openChat(bob, chatroomId)).readSeq).toBe(0);
    expect((await openChat(alice, chatroomId)).readSeq).toBe(1);
  });

  test('is limited to a maximum', async () => {
    const chatroomId = await beginChat(alice, bob);
    await fillChat(server, chatroomId, alice, LIMITS.unreadMax + 5);
    expect(await unread(bob, chatroomId)).toBe(LIMITS.unreadMax);
    await markAsRead(bob, chatroomId, { seq: 10 });
    expect(await unread(bob, chatroomId)).toBe(LIMITS.unreadMax - 4);
  });

  test('excludes deleted messages', async () => {
    const chatroomId = await beginChat(alice, bob);
    const { _id } = await send(alice, chatroomId, 'gone');
    await alice.request('DELETE', '/api/messages/delete', { messageId: _id });
    expect(await unread(bob, chatroomId)).toBe(1);
  });
});

describe('marking as read', () => {
  test('marks everything as read without a request body and emits one event to each user', async () => {
    const chatroomId = await beginChat(alice, bob);
    await send(alice, chatroomId, '2');
    const events = recordEvents(server);
    const response = await markAsRead(bob, chatroomId);
    const { chat } = response.body;
    expect(response.status).toBe(200);
    expect(chat).toMatchObject({ readSeq: 2, unreadMessagesCount: 0, rev: 2 });
    expect((await markAsRead(bob, chatroomId)).body).toEqual(response.body);
    const told = await openChat(alice, chatroomId);
    expect(told).toMatchObject({ rev: 2, partnerDeliveredSeq: 2, partnerReadSeq: 2 });
    expect(events).toEqual([
      { type: 'chat-changed', userId: alice.id, chat: told },
      { type: 'chat-changed', userId: bob.id, chat },
    ]);
    expect(await unread(bob, chatroomId)).toBe(0);
  });

  test('moves the read position to a seq, never back and never past the newest message', async () => {
    const chatroomId = await beginChat(alice, bob);
    await fillChat(server, chatroomId, alice, 4);
    const steps: [unknown, number, number][] = [
      [{ seq: 2 }, 2, 3],
      [{ seq: 1 }, 2, 3],
      [{ seq: 0 }, 2, 3],
      [{ seq: 4 }, 4, 1],
      [{ seq: 99 }, 5, 0],
      [{}, 5, 0],
    ];
    for (const [body, readSeq, unreadMessagesCount] of steps) {
      const { chat } = (await markAsRead(bob, chatroomId, body)).body;
      expect(chat).toMatchObject({ readSeq, unreadMessagesCount });
      expect(await openChat(bob, chatroomId)).toEqual(chat);
    }
    await send(alice, chatroomId, 'next');
    expect(await unread(bob, chatroomId)).toBe(1);
  });

  test('emits one event to each user for concurrent requests from two devices', async () => {
    const chatroomId = await beginChat(alice, bob);
    const events = recordEvents(server);
    await Promise.all(Array.from({ length: 5 }, () => markAsRead(bob, chatroomId)));
    expect(events).toMatchObject([
      { type: 'chat-changed', userId: alice.id },
      { type: 'chat-changed', userId: bob.id },
    ]);
  });

  test('accepts an empty JSON body and null', async () => {
    const chatroomId = await beginChat(alice, bob);
    const json = { 'content-type': 'application/json' };
    expect((await markAsRead(bob, chatroomId, '', json)).status).toBe(200);
    expect((await markAsRead(bob, chatroomId, 'null', json)).status).toBe(200);
  });

  test.each(['{"seq":-1}', '{"seq":"1"}', '{"seq":1.5}', '[]', '7', '{'])(
    'responds with 400 to %s',
    async (body) => {
      const chatroomId = await beginChat(alice, bob);
      const response = await markAsRead(bob, chatroomId, body, {
        'content-type': 'application/json',
      });
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );
});
