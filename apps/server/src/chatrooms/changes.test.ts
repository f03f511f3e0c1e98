import { randomUUID } from 'node:crypto';
import { LIMITS } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillChat, eraseAccount } from '../../test/fixtures.ts';
import { changesSince, beginChat, openChat, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { listChangesSince } from './changes.service.ts';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let chatroomId: string;
beforeEach(async () => {
  server = await startServer();
  alice = await server.signIn('Alice');
  bob = await server.signIn('Bob');
  chatroomId = await beginChat(alice, bob);
});
afterEach(() => server.close());

test('returns new, edited and deleted messages since a revision, ordered by revision', async () => {
  await send(bob, chatroomId, 'kept');
  const gone = await send(bob, chatroomId, 'gone');
  const edited = await send(alice, chatroomId, 'before');
  const { rev } = await openChat(bob, chatroomId);
  await alice.request('PATCH', '/api/messages/edit', { messageId: edited._id, content: 'after' });
  await bob.request('DELETE', '/api/messages/delete', { messageId: gone._id });
  const last = await send(alice, chatroomId, 'new');

  const changes = await changesSince(bob, { [chatroomId]: rev });
  expect(changes).toEqual({
    rooms: [
      {
        chat: {
          chatId: chatroomId,
          rev: rev + 3,
          // Bob has accepted the chat.
          memberRev: 1,
          usernames: ['Alice'],
          isDeletedAccount: false,
          status: 'accepted',
          lastMessage: { content: 'new', sender: alice.id, kind: 'text', seq: 5 },
          currentUserId: bob.id,
          timestamps: [last.createdAt],
          activeAt: last.createdAt,
          unreadMessagesCount: 3,
          readSeq: 0,
        },
        rev: rev + 3,
        updated: [expect.objectContaining({ _id: edited._id, content: 'after', rev: 5 }), last],
        deleted: [{ _id: gone._id, chatroom: chatroomId, seq: 3, rev: 6 }],
      },
    ],
    gone: [],
    hasMore: false,
  });
  const [all] = (await changesSince(bob, { [chatroomId]: 0 })).rooms;
  expect(all?.updated.map(({ content }) => content)).toEqual(['Hello', 'kept', 'after', 'new']);
});

test('returns the read position and the partner of a chatroom without changed messages', async () => {
  const { rev } = await openChat(alice, chatroomId);
  const noMessages = { updated: [], deleted: [] };
  expect((await changesSince(alice, { [chatroomId]: rev })).rooms).toMatchObject([
    { chat: { chatId: chatroomId, usernames: ['Bob'], readSeq: 1 }, rev, ...noMessages },
  ]);
  await bob.request('POST', `/api/chatrooms/chats/${chatroomId}/mark-as-read`);
  expect((await changesSince(bob, { [chatroomId]: rev })).rooms).toMatchObject([
    { ...noMessages, chat: { readSeq: 1, unreadMessagesCount: 0 } },
  ]);
  await eraseAccount(server, bob);
  expect((await changesSince(alice, { [chatroomId]: rev })).rooms).toMatchObject([
    { rev, ...noMessages, chat: { rev, usernames: [], isDeletedAccount: true } },
  ]);
});

test("returns a deleted partner's messages as deleted", async () => {
  const theirs = await send(bob, chatroomId, 'theirs');
  const { rev } = await openChat(alice, chatroomId);
  await eraseAccount(server, bob);
  expect((await changesSince(alice, { [chatroomId]: rev })).rooms).toMatchObject([
    { rev: rev + 1, updated: [], deleted: [{ _id: theirs._id, rev: rev + 1 }] },
  ]);
});

test('lists missing chatrooms and those of other users as gone', async () => {
  const carol = await server.signIn('Carol');
  const missing = randomUUID();
  const changes = await changesSince(carol, { [chatroomId]: 0, [missing]: 3 });
  expect(changes.rooms).toEqual([]);
  expect(changes.gone.toSorted()).toEqual([chatroomId, missing].toSorted());
});

test('paginates over all chatrooms and returns each message once', async () => {
  const since: Record<string, number> = { [chatroomId]: 0 };
  for (const name of ['Carol', 'Dave', 'Eve']) {
    since[await beginChat(alice, await server.signIn(name))] = 0;
  }
  for (const id of Object.keys(since)) await fillChat(server, id, alice, 24);

  const seen: string[] = [];
  let requests = 0;
  let hasMore = true;
  while (hasMore) {
    const changes = await changesSince(alice, since, 7);
    const page = changes.rooms.flatMap(({ updated }) => updated);
    expect(page.length).toBeLessThanOrEqual(7);
    seen.push(...page.map(({ _id }) => _id));
    for (const { chat, rev } of changes.rooms) since[chat.chatId] = rev;
    ({ hasMore } = changes);
    requests++;
  }
  expect(requests).toBe(Math.ceil(100 / 7));
  expect(seen).toHaveLength(100);
  expect(new Set(seen).size).toBe(100);
  expect(Object.values(since)).toEqual([25, 25, 25, 25]);
});

test('returns the current revision if the client has a higher one, as after restoring a backup', async () => {
  expect((await changesSince(alice, { [chatroomId]: 99 })).rooms).toMatchObject([
    { rev: 1, updated: [], deleted: [] },
  ]);
});

test('returns nothing for an empty request', async () => {
  expect(await changesSince(alice, {})).toEqual({ rooms: [], gone: [], hasMore: false });
});

test.each([
  [{}],
  [{ since: [] }],
  [{ since: { x: 1 } }],
  [{ since: { [randomUUID()]: -1 } }],
  [{ since: { [randomUUID()]: 1.5 } }],
  [{ since: { [randomUUID()]: '1' } }],
  [{ since: {}, limit: 0 }],
  [{ since: {}, limit: 1_001 }],
  [{ since: {}, limit: '5' }],
  ['{"since":{"__proto__":1}}'],
])('rejects %j', async (body) => {
  const json = { 'content-type': 'application/json' };
  expect(await alice.request('POST', '/api/chatrooms/changes', body, json)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
});

const requestChanges = (entries: [chatroomId: string, rev: number][]) =>
  alice.request('POST', '/api/chatrooms/changes', { since: Object.fromEntries(entries) });

test('accepts the maximum number of chatrooms and rejects more', async () => {
  const entries = Array.from({ length: LIMITS.changesChatroomsMax + 1 }, (): [string, number] => [
    randomUUID(),
    0,
  ]);
  expect((await requestChanges(entries)).status).toBe(400);
  const response = await requestChanges(entries.slice(1));
  expect(response.status).toBe(200);
  expect(response.body.gone).toHaveLength(LIMITS.changesChatroomsMax);
});

test('yields to other requests while it reads many chatrooms', async () => {
  const rooms = Array.from({ length: LIMITS.changesChatroomsMax - 1 }, () => randomUUID());
  const since = Object.fromEntries([chatroomId, ...rooms].map((id) => [id, 0]));
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns += 1;
    if (!isDone) setImmediate(countTurns);
  };
  countTurns();
  // As if each batch took longer than a time slice.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const changes = await listChangesSince(server.ctx, bob.id, { since });
  clock.mockRestore();
  isDone = true;
  expect(turns).toBeGreaterThan(rooms.length / 50);
  expect(changes.rooms.map(({ chat }) => chat.chatId)).toEqual([chatroomId]);
  expect(changes.gone.toSorted()).toEqual(rooms.toSorted());
});
